"""The training room: lessons with planted mistakes, answers judged by the rules."""
