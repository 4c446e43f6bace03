-- DuckDB reads the outputs where they are. A run renames them into place when it is whole, so no reader sees half a file.
CREATE OR REPLACE VIEW products AS
SELECT sku, price, filename FROM read_json('landing/products/*.jsonl', columns = { sku: 'VARCHAR', price: 'DOUBLE' }, filename = true);

SELECT count(*) AS products, round(avg(price), 2) AS mean FROM products;
