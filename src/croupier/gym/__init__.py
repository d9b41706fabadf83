"""Environments for learning machines, the extra `croupier[gym]`: importing this makes them known to Gymnasium."""

try:
    import gymnasium

    from croupier.gym.environments import BlackjackEnv, CrapsEnv, StudEnv
except ModuleNotFoundError as error:
    from croupier.errors import missing

    raise missing(error.name) from error

__all__ = ["BlackjackEnv", "CrapsEnv", "StudEnv"]

for _name, _env in (("Blackjack", "BlackjackEnv"), ("CaribbeanStud", "StudEnv"), ("Craps", "CrapsEnv")):
    gymnasium.register(f"croupier/{_name}-v0", f"croupier.gym:{_env}")
