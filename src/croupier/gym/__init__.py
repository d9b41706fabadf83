"""Environments for learning machines, the extra `croupier[gym]`: importing this makes them known to Gymnasium."""

try:
    import gymnasium

    from croupier.gym.environments import BlackjackEnv, CrapsEnv, StudEnv
    from croupier.gym.vectors import StudVectorEnv
except ModuleNotFoundError as error:
    from croupier.errors import missing

    raise missing(error.name) from error

__all__ = ["BlackjackEnv", "CrapsEnv", "StudEnv", "StudVectorEnv"]

for _name, _env in (("Blackjack", "BlackjackEnv"), ("Craps", "CrapsEnv")):
    gymnasium.register(f"croupier/{_name}-v0", f"croupier.gym:{_env}")
gymnasium.register("croupier/CaribbeanStud-v0", "croupier.gym:StudEnv", vector_entry_point="croupier.gym:StudVectorEnv")
