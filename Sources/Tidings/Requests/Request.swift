// SPDX-License-Identifier: Apache-2.0

/// A message that asks for a response.
///
/// Whoever can answer says so with ``MessageCenter/respond(to:priority:fileID:line:_:)``;
/// whoever wants to know asks with ``MessageCenter/request(_:timeout:clock:fileID:line:)``. Neither
/// knows the other. It is a message besides: those who observe its type see every request.
///
/// ```swift
/// struct PriceOf: Request {
///     typealias Response = Int
///     let article: String
/// }
///
/// let token = center.respond(to: PriceOf.self) { request in
///     try await shop.price(of: request.article)
/// }
/// let price = try await center.request(PriceOf(article: "Blue"), timeout: .seconds(5))
/// ```
public protocol Request: Message {
    /// What a responder answers with.
    associatedtype Response: Sendable
}
