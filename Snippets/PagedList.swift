// SPDX-License-Identifier: Apache-2.0
// A list in pages: a resource for each page, and the old page's data while the new one loads.
import Tidings

struct Product: Sendable {
    let name: String
}

struct Shop: Sendable {
    func page(_ number: Int) async throws -> [Product] { [Product(name: "product \(number)")] }
}

let shop = Shop()

@MainActor final class ProductPages {
    private let pages = ResourceFamily(
        options: ResourceOptions(staleAfter: .seconds(60), keepsDataFor: .seconds(300)),
        idleLimit: 20
    ) { number in
        try await shop.page(number)
    }
    private var token: ObservationToken?
    private var shown = 1

    func show(page number: Int) {
        pages[number].refreshIfNeeded()
        token?.cancel()
        let states = pages.states(of: number, previous: shown)
        token = states.observe(owner: self, on: .main) { $0.show($1) }
        shown = number
    }

    func priceListChanged() {
        pages.invalidate { $0 > 1 }
        pages[shown].refreshIfNeeded()
    }

    private func show(_ state: LoadState<[Product]>) {
        print((state.value ?? []).map(\.name), state.isLoading ? "…" : "")
    }
}

let screen = ProductPages()
screen.show(page: 1)
screen.show(page: 2)
screen.priceListChanged()
