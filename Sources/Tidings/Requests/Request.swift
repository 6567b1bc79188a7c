// SPDX-License-Identifier: Apache-2.0

/// A message that asks for a response.
///
/// A responder answers with ``MessageCenter/respond(to:priority:fileID:line:_:)``; a requester asks
/// with ``MessageCenter/request(_:timeout:clock:fileID:line:)``. Neither refers to the other. The
/// request is also a message: observers of its type receive every request.
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
    /// The type of the answer.
    associatedtype Response: Sendable
}
