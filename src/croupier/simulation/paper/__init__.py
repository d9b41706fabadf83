"""What readers are given of a simulation: plain data, a page with plots, and tables on a screen."""
