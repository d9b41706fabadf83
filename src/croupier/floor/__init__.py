"""The running house: what is kept, by whom, which doors lead to it, and the rooms behind them."""
