// SPDX-License-Identifier: Apache-2.0

/// A product with a price, or a coupon's product with a discount.
struct Item: Sendable {
    let name: String
    let cents: Int

    var price: String { "\(cents / 100).\(cents / 10 % 10)\(cents % 10)" }
}

/// The products of the shop.
///
/// The list is a separate type, although it contains only items: `StatePublisher<ProductList>` and
/// `StatePublisher<CouponList>` are two types, so a subscriber of both can distinguish the
/// publishers.
struct ProductList: Sendable {
    let items: [Item]
}

/// The current coupons.
struct CouponList: Sendable {
    let items: [Item]
}

/// A street for deliveries.
struct Place: Sendable {
    let street: String
}

/// An error of a source.
enum ShopError: String, Error, CustomStringConvertible {
    case noAnswer = "The server does not respond."
    case noSignal = "There is no signal."

    var description: String { rawValue }
}
