// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Tidings
import TidingsResources

/// The main screen, which is one subscriber of three publishers.
///
/// Publishers call the screen on the thread of the change, so a lock protects the view.
final class ShopScreen: StateSubscriber {
    private let view = Mutex(ShopView())

    /// Shows the current states, and shows all changes until the screen is released.
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

    /// The visible lines.
    var lines: [String] { view.withLock { $0.lines } }
}
