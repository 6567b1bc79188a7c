// SPDX-License-Identifier: Apache-2.0
// The four states of loaded data in one screen, and two publishers in one view.
import Observation
import Synchronization
import Tidings
import TidingsResources

struct ProductList: Sendable {
    let names: [String]
}

struct CouponList: Sendable {
    let names: [String]
}

@MainActor final class ProductsScreen {
    private(set) var title = ""

    init(_ products: StatePublisher<ProductList>) {
        products.observe(owner: self, on: .main) { screen, state in screen.show(state) }
    }

    private func show(_ state: LoadState<ProductList>) {
        switch state {
        case .unknown: title = "Welcome"
        case .loading(nil): title = "One moment"
        case .loading(let previous?): title = "\(previous.names.count) products …"
        case .loaded(let products): title = "\(products.names.count) products"
        case .error(let error): title = "Sorry: \(error)"
        }
    }
}

struct ShopView: Sendable {
    var products = LoadState<ProductList>.unknown
    var coupons = LoadState<CouponList>.unknown

    var button: String {
        switch (products, coupons) {
        case (.unknown, _): "Log in"
        case (.loading, _): "One moment"
        case (.error, _): "Try again"
        case (.loaded, .loading(nil)): "Looking for coupons"
        case (.loaded, .unknown), (.loaded, .error): "Buy"
        case (.loaded, .loaded), (.loaded, .loading(_?)): "Buy for less"
        }
    }
}

final class ShopScreen: StateSubscriber {
    private let view = Mutex(ShopView())

    var button: String { view.withLock { $0.button } }

    func publication(from publisher: any AnyStatePublisher) {
        view.withLock { view in
            if let products = publisher as? StatePublisher<ProductList> {
                view.products = products.state
            } else if let coupons = publisher as? StatePublisher<CouponList> {
                view.coupons = coupons.state
            }
        }
    }
}

final class ProblemBar: StateSubscriber {
    private let problems = Mutex<[ObjectIdentifier: String]>([:])

    var text: String { problems.withLock { $0.values.sorted().joined(separator: " ") } }

    func publication(from publisher: any AnyStatePublisher) {
        problems.withLock {
            $0[ObjectIdentifier(publisher)] = publisher.error.map { "\($0)" }
        }
    }
}

struct Offline: Error {}

let products = StatePublisher<ProductList>()
let coupons = StatePublisher<CouponList>()
let screen = ProductsScreen(products)

products.startLoading()
products.updateData(ProductList(names: ["tea", "bread"]))
print(screen.title)

let shop = ShopScreen()
let problems = ProblemBar()
for publisher in [products, coupons] as [any AnyStatePublisher] {
    publisher.subscribe(shop)
    publisher.subscribe(problems)
}
coupons.setError(Offline())
print(shop.button, problems.text)

products.startLoading()
products.setError(Offline())
if let names = products.lastData?.names { print("as of before: \(names)") }

products.update { $0 = ProductList(names: $0.names.filter { $0 != "tea" }) }

withObservationTracking {
    print("\(products.state.phase), shown by a view")
} onChange: {
    print("to be read again")
}

products.updateData(ProductList(names: ["bread"]))
for await state in products.states.values where state.phase != .loading {
    print("settled: \(state.phase)")
    break
}
