// SPDX-License-Identifier: Apache-2.0
// A hand-written publisher with a list of subscribers, and the replacement.
import Tidings
import TidingsResources

struct Product: Sendable {
    let name: String
}

struct ShopAPI: Sendable {
    func products() async throws -> [Product] { [Product(name: "tea")] }

    @MainActor func products(_ done: @escaping (Result<[Product], any Error>) -> Void) {
        done(.success([Product(name: "tea")]))
    }
}

let api = ShopAPI()

enum ByHand {
    @MainActor protocol Subscriber: AnyObject {
        func publication(from publisher: AnyObject)
    }

    @MainActor final class Publisher<Model> {
        enum State {
            case unknown
            case loading(Model?)
            case loaded(Model)
            case error(any Error)
        }

        private struct Box {
            weak var subscriber: (any Subscriber)?
        }

        private var boxes: [Box] = []
        private(set) var state = State.unknown {
            didSet { for box in boxes { box.subscriber?.publication(from: self) } }
        }

        func subscribe(_ subscriber: any Subscriber) {
            boxes.append(Box(subscriber: subscriber))
            subscriber.publication(from: self)
        }

        func startLoading() { state = .loading(nil) }
        func updateData(_ data: Model) { state = .loaded(data) }
        func setError(_ error: any Error) { state = .error(error) }
        func reset() { state = .unknown }
        var isStale: Bool { false }
    }

    @MainActor final class ProductsManager {
        let publisher = Publisher<[Product]>()

        func getData() {
            publisher.startLoading()
            api.products { [publisher] result in
                switch result {
                case .success(let products): publisher.updateData(products)
                case .failure(let error): publisher.setError(error)
                }
            }
        }

        func refreshIfNeeded() {
            switch publisher.state {
            case .error: getData()
            case .loaded: if publisher.isStale { getData() }
            case .unknown, .loading: break
            }
        }

        func logout() {
            publisher.reset()
        }
    }

    @MainActor final class ProductsScreen: Subscriber {
        private(set) var title = ""

        func publication(from publisher: AnyObject) {
            if let publisher = publisher as? Publisher<[Product]> {
                switch publisher.state {
                case .unknown: title = "Welcome"
                case .loading: title = "One moment"
                case .loaded(let products): title = "\(products.count) products"
                case .error(let error): title = "Sorry: \(error)"
                }
            }
        }
    }
}

@MainActor final class ProductsScreen {
    private(set) var title = ""

    func follow(_ publisher: StatePublisher<[Product]>) -> ObservationToken {
        publisher.observe(owner: self, on: .main) { screen, state in
            switch state {
            case .unknown: screen.title = "Welcome"
            case .loading: screen.title = "One moment"
            case .loaded(let products): screen.title = "\(products.count) products"
            case .error(let error): screen.title = "Sorry: \(error)"
            }
        }
    }
}

@MainActor final class ShortScreen {
    private(set) var title = ""

    init(_ publisher: StatePublisher<[Product]>) {
        publisher.observe(owner: self, on: .main) { screen, state in
            screen.title = "\(state.value?.count ?? 0) products"
        }
    }
}

@MainActor final class ProductsSource: StateSource {
    private let products = Resource(options: ResourceOptions(staleAfter: .seconds(60))) {
        try await api.products()
    }

    var publisher: StatePublisher<[Product]> { products.publisher }

    func getData() {
        guard publisher.phase != .loading else { return }
        products.invalidate()
        products.refreshIfNeeded()
    }

    func refreshIfNeeded() { products.refreshIfNeeded() }
    func logout() { products.reset() }
}

@MainActor final class PushedSource: StateSource {
    let publisher = StatePublisher<[Product]>(staleAfter: .seconds(60))
    private var question = 0

    func getData() {
        guard publisher.phase != .loading else { return }
        question += 1
        publisher.startLoading()
        api.products { [weak self, question] result in
            guard let self, question == self.question else { return }
            switch result {
            case .success(let products): publisher.updateData(products)
            case .failure(let error): publisher.setError(error)
            }
        }
    }

    func refreshIfNeeded() {
        if publisher.isStale { getData() }
    }

    func logout() {
        question += 1
        publisher.reset()
    }
}

let byHand = ByHand.ProductsManager()
let oldScreen = ByHand.ProductsScreen()
byHand.publisher.subscribe(oldScreen)
byHand.refreshIfNeeded()
byHand.getData()
print(oldScreen.title)
byHand.logout()

let screen = ProductsScreen()
let source = PushedSource()
let token = screen.follow(source.publisher)
source.refreshIfNeeded()
token.cancel()
source.logout()

let products = ProductsSource()
let shortScreen = ShortScreen(products.publisher)
products.getData()
for await state in products.publisher.states.values where state.phase == .loaded { break }
print(shortScreen.title)
products.logout()
