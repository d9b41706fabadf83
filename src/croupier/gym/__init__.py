"""Environments for learning machines, the extra `croupier[gym]`: importing this makes them known to Gymnasium."""

try:
    import gymnasium

    from croupier.gym.environments import BlackjackEnv, CrapsEnv, StudEnv
    from croupier.gym.vectors import BlackjackVectorEnv, CrapsVectorEnv, StudVectorEnv
except ModuleNotFoundError as error:
    from croupier.errors import missing

    raise missing(error.name) from error

__all__ = ["BlackjackEnv", "BlackjackVectorEnv", "CrapsEnv", "CrapsVectorEnv", "StudEnv", "StudVectorEnv"]

for _name, _kind in (("Blackjack", "Blackjack"), ("CaribbeanStud", "Stud"), ("Craps", "Craps")):
    gymnasium.register(
        f"croupier/{_name}-v0",
        f"croupier.gym:{_kind}Env",
        vector_entry_point=f"croupier.gym:{_kind}VectorEnv",
    )
