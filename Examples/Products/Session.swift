// SPDX-License-Identifier: Apache-2.0
import Tidings

/// What happens in the shop, one thing after the other, and what is seen after each.
@MainActor
final class Session {
    private let clock = HandClock()
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
        await growOld()
        await fail()
        await recover()
        await logOut()
        await leave()
    }

    var farewell: Farewell {
        Farewell(shop: shop, seenOn: [screen, problems, map])
    }

    private func logIn() async {
        shop.getData()
        show("Ada logs in")
        await productsArrive(.success(.tea(at: 280)))
        show("The products arrive")
        device.answer(.success(Place(street: "Harbour Street")))
        show("The device finds her")
        await told(.loaded, by: shop.coupons) {
            await couponServer.answer(.success(.tea(off: 50)))
        }
        show("The coupons arrive")
        map = MapWindow(shop.location.publisher)
        show("She opens the map, which knows at once")
    }

    private func growOld() async {
        shop.refreshIfNeeded()
        show("She comes back to the shop: nothing is old, nothing loads")
        clock.advance(by: .seconds(60))
        await told(.loading, by: shop.products) { shop.refreshIfNeeded() }
        show("She comes back a minute later: only the products are old")
        await productsArrive(.success(.tea(at: 300)))
        show("Tea has become dearer")
        print("  loaded    products \(productServer.count), coupons \(couponServer.count)")
    }

    private func fail() async {
        clock.advance(by: .seconds(60))
        await told(.loading, by: shop.products) { shop.refreshIfNeeded() }
        await productsArrive(.failure(Trouble.noAnswer))
        show("She comes back once more: the server is gone")
        shop.location.getData()
        device.answer(.failure(Trouble.noSignal))
        show("She walks on, into a tunnel")
    }

    private func recover() async {
        await told(.loading, by: shop.products) { shop.refreshIfNeeded() }
        show("She tries again: what failed, and nothing else")
        device.answer(.success(Place(street: "Mill Lane")))
        await productsArrive(.success(.tea(at: 290)))
        show("All is well")
    }

    private func logOut() async {
        await told(.loading, by: shop.products) { shop.products.getData() }
        await productServer.waitForRequest()
        await told(.unknown, by: shop.products) {
            await told(.unknown, by: shop.coupons) { shop.logout() }
        }
        show("She logs out while the products load")
        await productServer.answer(.success(.tea(at: 310)))
        show("They arrive too late")
    }

    private func leave() async {
        await told(.loading, by: shop.products) { shop.getData() }
        await productServer.waitForRequest()
        await couponServer.waitForRequest()
        show("Ben logs in, and sees nothing of hers")
        screen.disappear(from: shop)
        problems.disappear(from: shop)
        print("\n> He leaves: nobody looks any more, so nothing goes on loading")
        print("  products  \(shop.products.state.phase)")
        print("  coupons   \(shop.coupons.state.phase)")
        await productServer.answer(.success(.tea(at: 310)))
        await couponServer.answer(.success(.tea(off: 20)))
        device.answer(.failure(Trouble.noSignal))
    }

    private func productsArrive(_ answer: Result<ProductList, any Error>) async {
        let phase: LoadPhase = if case .success = answer { .loaded } else { .error }
        await told(phase, by: shop.products) { await productServer.answer(answer) }
    }

    /// Does something, and waits until everybody is told of the phase that follows.
    ///
    /// Answers come on another thread, and while it tells of one it tells of later changes as well:
    /// whoever makes them does not wait for it. A person sees no difference, a script would.
    private func told<Value>(
        _ phase: LoadPhase,
        by resource: Resource<Value>,
        _ action: () async -> Void
    ) async {
        // Who comes last is told last.
        let states = resource.publisher.states
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
