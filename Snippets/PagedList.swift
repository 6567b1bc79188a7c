// SPDX-License-Identifier: Apache-2.0
// A list in pages: a resource for each page, and the old page's data while the new page loads.
import Tidings
import TidingsResources

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
    private var wanted = 1
    private var shown = 1
    private(set) var lines: [String] = []

    func turn(to number: Int) {
        wanted = number
        token?.cancel()
        pages[wanted].refreshIfNeeded()
        let states = pages.states(of: wanted, previous: shown)
        token = states.observe(owner: self, on: .main) { $0.show($1) }
    }

    func retry() { turn(to: wanted) }

    func priceListChanged() {
        pages.invalidate { $0 > 1 }
        pages[wanted].refreshIfNeeded()
    }

    private func show(_ state: LoadState<[Product]>) {
        switch state {
        case .unknown: lines = []
        case .loading(let products): lines = (products ?? []).map(\.name) + ["…"]
        case .loaded(let products):
            shown = wanted
            lines = products.map(\.name)
        case .error(let error): lines = ["Sorry: \(error)"]
        }
    }
}

let screen = ProductPages()
screen.turn(to: 1)
screen.turn(to: 2)
screen.retry()
screen.priceListChanged()
print(screen.lines)
