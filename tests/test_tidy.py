"""The house is in order: what may lie where, how long a file may be, and that the documents show the tree as it is."""

from __future__ import annotations

import ast
import re
import subprocess
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path, PurePosixPath

import pytest

from tests.helpers.drawing import diagram, imports_between_rooms
from tests.helpers.places import DOCS, ROOT

PACKAGE = "src/croupier"
LONGEST_FILE = 500
MOST_MODULES = 16
WIDEST_LINE = 120
SOURCES = {
    ".py", ".js", ".css", ".html", ".svg", ".csv", ".toml", ".json", ".jsonl", ".typed", ".mako", ".ftl",
}  # fmt: skip
"""What may lie in the package, by its ending."""

CORE = {"games", "table", "house", "law", "journal", "ceremony", "equipment", "money", "round"}
"""Where a function that only tests call would be a rule, or a piece of equipment, that nobody meets."""
MESSAGES = ("messages.py", "events.py", "commands.py")
"""Commands and events are told apart by the journal they stand in."""


@cache
def tracked() -> tuple[PurePosixPath, ...]:
    """The files of the project, as git knows them."""
    words = ["git", "ls-files", "-co", "--exclude-standard"]
    names = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    return tuple(PurePosixPath(name) for name in names if (ROOT / name).is_file())


def text_of(path: PurePosixPath) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


@cache
def tree_of(path: PurePosixPath) -> ast.Module:
    return ast.parse(text_of(path))


def within(folder: str, *endings: str) -> list[PurePosixPath]:
    return [path for path in tracked() if path.is_relative_to(folder) and path.suffix in endings]


def test_the_package_holds_sources_only() -> None:
    strange = [str(path) for path in tracked() if path.is_relative_to(PACKAGE) and path.suffix not in SOURCES]
    assert strange == []


def test_reasons_are_words_and_no_page_mends_them() -> None:
    """What a refusal is about stands beside its reason, by its key; the reason is shown to people as it is."""
    keyed = [
        f"{path}:{call.lineno} {part.value}"
        for path in within(PACKAGE, ".py")
        for call in ast.walk(tree_of(path))
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "Refusal" and call.args
        for part in ast.walk(call.args[0])
        if isinstance(part, ast.Constant) and isinstance(part.value, str) and re.search(r"[a-z]_[a-z]", part.value)
    ]
    assert keyed == []
    mending = re.compile(r"(reason|message)\)?\.(replace|split|slice|match)")
    assert [str(path) for path in within(PACKAGE, ".js") if mending.search(text_of(path))] == []


def test_no_file_is_too_long() -> None:
    long = {
        str(path): len(text_of(path).splitlines()) for path in (*within("src", ".py", ".js"), *within("tests", ".py"))
    }
    assert {path: lines for path, lines in long.items() if lines > LONGEST_FILE} == {}


def test_no_folder_holds_too_many_modules() -> None:
    modules = [path for path in (*within("src", ".py", ".js"), *within("tests", ".py")) if path.name != "__init__.py"]
    crowded = {str(folder): count for folder, count in Counter(path.parent for path in modules).items()}
    assert {folder: count for folder, count in crowded.items() if count > MOST_MODULES} == {}


def test_no_name_repeats_its_folder() -> None:
    modules = [path for path in within(PACKAGE, ".py", ".js") if path.name != "__init__.py"]
    repeated = [str(path) for path in modules if re.match(rf"{path.parent.name}[_-]", path.name)]
    assert repeated == []


@pytest.mark.parametrize("path", within(PACKAGE, ".py"), ids=str)
def test_every_module_says_what_it_is_for(path: PurePosixPath) -> None:
    assert ast.get_docstring(tree_of(path))


def test_scripts_fit_their_columns() -> None:
    wide = Counter(
        str(path) for path in within(PACKAGE, ".js") for line in text_of(path).splitlines() if len(line) > WIDEST_LINE
    )
    assert wide == {}


EXPORTED = re.compile(r"^export (?:(?:async )?(?:function\*?|const|let|class) |\{ )(\w+)", re.MULTILINE)
IMPORTED = re.compile(r'^import \{([^}]*)\} from "([^"]+)"', re.MULTILINE)


def test_every_name_that_a_script_imports_is_exported_there() -> None:
    exported = {ROOT / path: set(EXPORTED.findall(text_of(path))) for path in within(PACKAGE, ".js")}
    wanted = [
        (str(path), name.split(" as ")[0].strip(), ((ROOT / path).parent / source).resolve())
        for path in within(PACKAGE, ".js")
        for names, source in IMPORTED.findall(text_of(path))
        for name in names.split(",")
        if name.strip()
    ]
    assert len(wanted) > 500
    assert [(path, name) for path, name, source in wanted if name not in exported.get(source, ())] == []


def test_one_class_name_means_one_thing() -> None:
    named: dict[str, list[str]] = defaultdict(list)
    for path in within(PACKAGE, ".py"):
        for node in tree_of(path).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_") and path.name not in MESSAGES:
                named[node.name].append(str(path))
    assert {name: places for name, places in named.items() if len(places) > 1} == {}


def module_of(path: PurePosixPath) -> str:
    """The module of a file of the package, as it is imported."""
    return ".".join(path.relative_to("src").with_suffix("").parts).removesuffix(".__init__")


TOLD_IN_JOURNALS = {"InspectorTold", "LineTold", "ShoeTold"}
"""Events keep the names under which they were written, and the parts of a view those that pages know."""


def test_no_class_is_called_after_being_told() -> None:
    """A name says what a thing is, not that somebody hears of it."""
    classes = {
        node.name
        for path in within(PACKAGE, ".py")
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.ClassDef) and "Told" in re.findall(r"[A-Z][a-z]*", node.name)
    }
    assert classes == TOLD_IN_JOURNALS


Name = tuple[str, str]
"""Something of a module: the module, and the name it has there."""


def imported(tree: ast.Module) -> dict[str, Name]:
    """What a module takes from others, by the name it has here."""
    found = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    return {each.asname or each.name: (node.module or "", each.name) for node in found for each in node.names}


def used_in(module: str, tree: ast.Module) -> Iterator[Name]:
    """What the code of a module speaks of, by itself or behind the name of its module; prose does not count."""
    taken = imported(tree)
    for statement in tree.body:
        own = getattr(statement, "name", "")
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and node.id != own:
                yield taken.get(node.id, (module, node.id))
            elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in taken:
                yield ".".join(taken[node.value.id]), node.attr


def test_every_function_of_the_core_is_called_by_the_product() -> None:
    trees = {module_of(path): tree_of(path) for path in within(PACKAGE, ".py")}
    passed_on = {(module, name): source for module, tree in trees.items() for name, source in imported(tree).items()}
    used = {each for module, tree in trees.items() for each in used_in(module, tree)}
    while more := {passed_on[each] for each in used if each in passed_on} - used:
        used |= more
    lone = [
        f"{module}: {node.name}"
        for module, tree in trees.items()
        if {*module.split(".")[1:2]} & CORE
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and (module, node.name) not in used
    ]
    assert lone == []


# ---------------------------------------------------------------- what the documents show


def tree_on_disk() -> set[str]:
    """The modules and folders of the package, and the folders within those."""
    inside = {path.relative_to(PACKAGE) for path in tracked() if path.is_relative_to(PACKAGE)}
    folders = {PurePosixPath(*path.parts[:depth]) for path in inside for depth in (1, 2) if len(path.parts) > depth}
    modules = {path.name for path in inside if len(path.parts) == 1 and path.suffix == ".py" and path.name[0] != "_"}
    return {f"{folder}/" for folder in folders} | modules


def test_nothing_waits_in_a_way_that_forgets_to_end() -> None:
    """`asyncio.wait_for` of Python 3.11 swallows a cancellation that comes in the moment of what it waits for."""
    assert [str(path) for path in within("src", ".py") if "asyncio.wait_for" in text_of(path)] == []


def test_the_tree_of_the_readme_is_the_tree_on_disk() -> None:
    block = text_of(PurePosixPath("README.md")).partition("```tree\n")[2].partition("```")[0]
    shown, above = set[str](), ""
    for line in block.splitlines()[1:]:
        listed = re.match(r"( +)((?:\w+(?:/|\.py) ?)+)", line)
        assert listed, line
        names = listed[2].split()
        above = names[0] if len(listed[1]) == 2 else above
        shown |= {name if len(listed[1]) == 2 else f"{above}{name}" for name in names}
    assert shown == tree_on_disk()


def test_the_drawing_of_the_rooms_is_made_from_the_source() -> None:
    drawn = (DOCS / "screens" / "imports.svg").read_text(encoding="utf-8")
    assert drawn == diagram(imports_between_rooms(ROOT / PACKAGE)), "make drawings"


@pytest.mark.parametrize("document", sorted(DOCS.glob("*.md")), ids=lambda path: path.name)
def test_documents_name_files_that_exist(document: Path) -> None:
    """A path in backquotes that looks like one of the project's is one."""
    paths = re.findall(
        r"`((?:src/croupier/|tests/|docs/|benchmarks/|deploy/)[\w./-]+\.\w+)`", document.read_text(encoding="utf-8")
    )
    made_up = "made.csv"
    assert [path for path in paths if not (ROOT / path).exists() and not path.endswith(made_up)] == []
