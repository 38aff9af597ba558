//! JavaScript, its package managers, and other languages of the web.

use super::check;

#[test]
fn package_scripts() {
    check(&[
        ("npm test", "test package script []"),
        ("npm t", "test package script []"),
        ("npm run test", "test package script []"),
        ("npm --silent run test", "test package script []"),
        ("pnpm test", "test package script []"),
        ("yarn test", "test package script []"),
        ("bun run test", "test package script []"),
        ("npm run test:ci", "test package script []"),
        ("npm run test:unit", "test package script [~test:unit] part"),
        ("npm run e2e", "test package script [~e2e] part"),
        ("npm test -- --watchAll=false", "test package script []"),
        ("npm test -- src/login.test.ts", "test package script [src/login.test.ts] part"),
        ("npm test -- -t 'adds two'", "test package script ['-t=adds two'] part"),
        ("npm test -- --testNamePattern='adds two'", "test package script ['-t=adds two'] part"),
        ("npm test -- --testPathPattern src/cart", "test package script [src/cart]"),
        ("npm --prefix web test", "test package script [web]"),
        ("cd web && npm test", "test package script [web]"),
        ("cd ./web/ && npm run test", "test package script [web]"),
        ("pnpm -C web test", "test package script [web]"),
        ("pnpm --filter api test", "test package script [-w=api] part"),
        ("npm test -w api", "test package script [-w=api] part"),
        ("npm run -w api test", "test package script [-w=api] part"),
        ("yarn workspace api test", "test package script [-w=api] part"),
        ("yarn workspaces foreach -A run test", "test package script []"),
        ("npm test -ws --if-present", "test package script []"),
        ("bun run --cwd web test", "test package script [web]"),
        ("turbo run --no-daemon test", "test turbo []"),
        ("pnpm -r test", "test package script []"),
        ("npm run build", "build package script []"),
        ("npm run build -- --mode production", "build package script []"),
        ("pnpm build:web", "build package script [~build:web] part"),
        ("npm run lint", "lint package script []"),
        ("yarn lint --fix", "lint package script []"),
        ("npm run typecheck", "types package script []"),
        ("npm run type-check", "types package script []"),
        ("pnpm check-types", "types package script []"),
        ("npm run format:check", "format package script []"),
        ("npm run check", "lint package script []"),
        ("turbo run test lint --filter=web", "test turbo [--filter=web] part ; lint turbo [--filter=web] part"),
        ("npx nx test shop", "test nx [~shop] part"),
        ("nx run-many -t lint", "lint nx []"),
        ("npx lerna run test", "test lerna []"),
    ]);
}

#[test]
fn test_runners() {
    check(&[
        ("npx jest", "test jest []"),
        ("npx --yes jest@29 --silent --runInBand", "test jest []"),
        ("npx jest src/cart", "test jest [src/cart]"),
        ("npx jest ./src/cart.test.js -t adds", "test jest [src/cart.test.js -t=adds] part"),
        ("npx jest Button", "test jest [~Button] part"),
        ("node_modules/.bin/jest --coverage", "test jest []"),
        ("node --experimental-vm-modules node_modules/jest/bin/jest.js", "test jest []"),
        ("yarn jest", "test jest []"),
        ("CI=1 npx vitest run", "test vitest []"),
        ("vitest", "test vitest []"),
        ("vitest watch", "test vitest []"),
        ("pnpm exec vitest run src/cart.spec.ts --reporter=verbose", "test vitest [src/cart.spec.ts] part"),
        ("pnpm vitest run --project unit", "test vitest [--project=unit] part"),
        ("npx mocha --timeout 5000 --grep adds", "test mocha [-g=adds] part"),
        ("npx ava --match='*adds*'", "test ava [-m=*adds*] part"),
        ("npx playwright test --project=chromium tests/login.spec.ts", "test playwright [tests/login.spec.ts --project=chromium] part"),
        ("npx cypress run --spec cypress/e2e/login.cy.ts", "test cypress [cypress/e2e/login.cy.ts] part"),
        ("bun test", "test bun test []"),
        ("bun test cart.test.ts", "test bun test [cart.test.ts] part"),
        ("bunx vitest run", "test vitest []"),
        ("node --test", "test node test []"),
        ("node --test test/cart.test.js", "test node test [test/cart.test.js] part"),
        ("node test.js", "test node file [test.js]"),
        ("npx tsx scripts/verify-data.ts", "test node file [scripts/verify-data.ts] part"),
        ("deno test -A", "test deno test []"),
        ("deno check main.ts", "types deno check [main.ts] part"),
        ("deno lint", "lint deno lint []"),
        ("deno task test", "test deno task []"),
    ]);
}

#[test]
fn compilers_and_linters() {
    check(&[
        ("tsc", "types tsc []"),
        ("npx tsc --noEmit", "types tsc []"),
        ("npx tsc --noEmit -p .", "types tsc []"),
        ("npx tsc -p apps/web/tsconfig.json", "types tsc [apps/web]"),
        ("cd apps/web && npx tsc -p tsconfig.json --noEmit", "types tsc [apps/web]"),
        ("npx -p typescript tsc -b", "types tsc []"),
        ("npx vue-tsc --noEmit", "types tsc []"),
        ("npx svelte-check --threshold error", "types tsc []"),
        ("npx eslint .", "lint eslint []"),
        ("npx eslint src --ext .ts,.tsx --max-warnings 0", "lint eslint [src]"),
        ("npx eslint --fix src/cart.ts", "lint eslint [src/cart.ts] part"),
        ("npx @biomejs/biome check src", "lint biome [src]"),
        ("biome format src", "format biome format [src]"),
        ("npx prettier --check .", "format prettier []"),
        ("npx prettier -c 'src/**/*.ts'", "format prettier [src/**/*.ts] part"),
        ("npx next build", "build bundler []"),
        ("npx vite build --mode staging", "build bundler []"),
        ("npx stylelint 'css/*.css'", "lint stylelint [css/*.css] part"),
        ("npx markdownlint-cli2 README.md", "lint markdownlint [README.md] part"),
        ("node --check server.js", "build node --check [server.js] part"),
    ]);
}

#[test]
fn ruby_and_php() {
    check(&[
        ("bundle exec rspec", "test rspec []"),
        ("bin/rspec spec", "test rspec []"),
        ("rspec spec/models/cart_spec.rb:12", "test rspec [spec/models/cart_spec.rb:12] part"),
        ("bundle exec rspec -e 'adds an item' --format documentation", "test rspec ['-e=adds an item'] part"),
        ("bundle exec rake test", "test rake []"),
        ("rake spec", "test rake []"),
        ("bin/rails test test/models/cart_test.rb", "test rails [test/models/cart_test.rb] part"),
        ("ruby -Itest test/cart_test.rb", "test ruby file [test/cart_test.rb] part"),
        ("bundle exec rubocop app", "lint rubocop [app]"),
        ("vendor/bin/phpunit", "test phpunit []"),
        ("php vendor/bin/phpunit --filter testAdds tests/CartTest.php", "test phpunit [tests/CartTest.php --filter=testAdds] part"),
        ("./vendor/bin/pest --filter=adds", "test phpunit [--filter=adds] part"),
        ("php artisan test", "test artisan []"),
        ("composer test", "test composer []"),
        ("composer run-script test", "test composer []"),
        ("vendor/bin/phpstan analyse src -l 8", "types phpstan [src]"),
        ("php -l src/Cart.php", "build php -l [src/Cart.php] part"),
    ]);
}
