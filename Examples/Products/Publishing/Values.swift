// SPDX-License-Identifier: Apache-2.0

/// A product and what it costs, or a coupon's product and what it takes off.
struct Item: Sendable {
    let name: String
    let cents: Int

    var price: String { "\(cents / 100).\(cents / 10 % 10)\(cents % 10)" }
}

/// What can be bought.
///
/// A type of its own, although it holds only items: `StatePublisher<ProductList>` and
/// `StatePublisher<CouponList>` are two types, so a subscriber of both knows which one it hears.
struct ProductList: Sendable {
    let items: [Item]
}

/// What is cheaper today.
struct CouponList: Sendable {
    let items: [Item]
}

/// A street that goods can be brought to.
struct Place: Sendable {
    let street: String
}

/// What goes wrong here.
enum Trouble: String, Error, CustomStringConvertible {
    case noAnswer = "A server does not answer."
    case noSignal = "There is no signal here."

    var description: String { rawValue }
}
