// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Tidings

/// The screen that shows everything: one subscriber of three publishers.
///
/// It hears of news on the thread that brings them, so it keeps its view behind a lock.
final class ShopScreen: StateSubscriber {
    private let view = Mutex(ShopView())

    /// Shows what is known now, and from then on every change for as long as it lives.
    @MainActor
    init(_ shop: Shop) {
        for publisher in shop.publishers { publisher.subscribe(self) }
    }

    @MainActor
    func disappear(from shop: Shop) {
        for publisher in shop.publishers { publisher.unsubscribe(self) }
    }

    func publication(from publisher: any AnyStatePublisher) {
        view.withLock { view in
            if let products = publisher as? StatePublisher<ProductList> {
                view.products = products.state
                view.lastProducts = products.lastData
            } else if let coupons = publisher as? StatePublisher<CouponList> {
                view.coupons = coupons.state
            } else if let location = publisher as? StatePublisher<Place> {
                view.location = location.state
            }
        }
    }

    /// What a person sees.
    var lines: [String] { view.withLock { $0.lines } }
}
