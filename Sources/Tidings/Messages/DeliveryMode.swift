// SPDX-License-Identifier: Apache-2.0

/// When a post is delivered that is made inside a handler of the same center, on its thread.
///
/// ```swift
/// center.post(Step(number: 2), delivery: .nested)
/// ```
public enum DeliveryMode: Hashable, Sendable {
    /// After the last handler of the current post, in the order of posting.
    case queued
    /// At once, before the handler that posts goes on: depth first.
    case nested
}

/// A post that must reach somebody.
///
/// ```swift
/// try center.post(Opened(page: 4), delivery: .required)
/// ```
public enum RequiredDelivery: Hashable, Sendable {
    /// As `.queued`, with an error if there is no recipient.
    case required
}
