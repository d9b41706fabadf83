"""PAR sheets: the page, its plots and the figures behind them."""
