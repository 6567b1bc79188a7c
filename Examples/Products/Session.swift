// SPDX-License-Identifier: Apache-2.0
import Tidings

/// The script of the shop, which prints the screens after each step.
@MainActor
final class Session {
    private let clock = ManualClock()
    private let productServer = Server<ProductList>()
    private let couponServer = Server<CouponList>()
    private let device = PositionDevice()
    private let shop: Shop
    private let screen: ShopScreen
    private let problems: ProblemBar
    private var map: MapWindow?

    init() {
        shop = Shop(products: productServer, coupons: couponServer, device: device, clock: clock)
        screen = ShopScreen(shop)
        problems = ProblemBar(shop)
        show("The shop opens")
    }

    func play() async {
        await logIn()
        await becomeStale()
        await fail()
        await recover()
        await logOut()
        await leave()
    }

    var teardownCheck: TeardownCheck {
        TeardownCheck(shop: shop, screens: [screen, problems, map])
    }

    private func logIn() async {
        shop.getData()
        show("Ada logs in")
        await productsArrive(.success(.tea(at: 280)))
        show("The products arrive")
        device.respond(.success(Place(street: "Harbour Street")))
        show("The device finds her")
        await waitFor(.loaded, of: shop.coupons) {
            await couponServer.respond(.success(.tea(off: 50)))
        }
        show("The coupons arrive")
        map = MapWindow(shop.location.publisher)
        show("She opens the map, which shows her at once")
    }

    private func becomeStale() async {
        shop.refreshIfNeeded()
        show("She comes back to the shop: nothing is stale, nothing loads")
        clock.advance(by: .seconds(60))
        await waitFor(.loading, of: shop.products) { shop.refreshIfNeeded() }
        show("She comes back a minute later: only the products are stale")
        await productsArrive(.success(.tea(at: 300)))
        show("Tea is more expensive")
        print("  loaded    products \(productServer.count), coupons \(couponServer.count)")
    }

    private func fail() async {
        clock.advance(by: .seconds(60))
        await waitFor(.loading, of: shop.products) { shop.refreshIfNeeded() }
        await productsArrive(.failure(ShopError.noAnswer))
        show("She comes back again: the server fails")
        shop.location.getData()
        device.respond(.failure(ShopError.noSignal))
        show("She walks into a tunnel")
    }

    private func recover() async {
        await waitFor(.loading, of: shop.products) { shop.refreshIfNeeded() }
        show("She tries again: only the failed sources load")
        device.respond(.success(Place(street: "Mill Lane")))
        await productsArrive(.success(.tea(at: 290)))
        show("Everything is loaded")
    }

    private func logOut() async {
        await waitFor(.loading, of: shop.products) { shop.products.getData() }
        await productServer.waitForRequest()
        await waitFor(.unknown, of: shop.products) {
            await waitFor(.unknown, of: shop.coupons) { shop.logout() }
        }
        show("She logs out while the products load")
        await productServer.respond(.success(.tea(at: 310)))
        show("They arrive too late")
    }

    private func leave() async {
        await waitFor(.loading, of: shop.products) { shop.getData() }
        await productServer.waitForRequest()
        await couponServer.waitForRequest()
        show("Ben logs in and sees none of her data")
        screen.disappear(from: shop)
        problems.disappear(from: shop)
        print("\n> He leaves: without observers, loading stops")
        print("  products  \(shop.products.publisher.state.phase)")
        print("  coupons   \(shop.coupons.publisher.state.phase)")
        await productServer.respond(.success(.tea(at: 310)))
        await couponServer.respond(.success(.tea(off: 20)))
        device.respond(.failure(ShopError.noSignal))
    }

    private func productsArrive(_ response: Result<ProductList, any Error>) async {
        let phase: LoadPhase = if case .success = response { .loaded } else { .error }
        await waitFor(phase, of: shop.products) { await productServer.respond(response) }
    }

    /// Performs an action and waits until all subscribers have received a phase.
    ///
    /// Responses arrive on another thread. A thread that is notifying observers also delivers later
    /// changes, and the thread that makes such a change does not wait for the delivery. So the
    /// script waits before the next step.
    private func waitFor<Value>(
        _ phase: LoadPhase,
        of source: ServerSource<Value>,
        _ action: () async -> Void
    ) async {
        // Subscribers are notified in the order of registration, so this sequence is the last.
        let states = source.publisher.states.values
        await action()
        for await state in states where state.phase == phase { break }
    }

    private func show(_ event: String) {
        print("\n> \(event)")
        for line in screen.lines + problems.lines + (map?.lines ?? []) { print("  \(line)") }
    }
}

extension ProductList {
    fileprivate static func tea(at cents: Int) -> ProductList {
        ProductList(items: [Item(name: "tea", cents: cents), Item(name: "bread", cents: 320)])
    }
}

extension CouponList {
    fileprivate static func tea(off cents: Int) -> CouponList {
        CouponList(items: [Item(name: "tea", cents: cents)])
    }
}
