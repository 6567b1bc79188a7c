// SPDX-License-Identifier: Apache-2.0

/// What a run of several threads did, as facts with the stamps between which they happened.
///
/// A plain value, made from the logs. The last log is that of the main actor.
struct History: Sendable {
    /// Something that was done on one thread between two stamps.
    struct Span: Hashable, Sendable {
        var thread: Int
        var begin: Int
        var end: Int
        /// When the handler began that did it; 0 if none did.
        var inCallSince = 0

        /// Whether it was done by a handler that was called within `other`.
        func isInCall(of other: Span) -> Bool {
            thread == other.thread && inCallSince > other.begin
        }

        /// Whether it was over before `other` began.
        func isBefore(_ other: Span) -> Bool { end < other.begin }
    }

    struct Post: Sendable {
        let number: Int
        let place: ModelPlace
        var span: Span
        let recipients: Int
        let delivery: Delivery
        /// The end of the delivery on its own thread.
        var turnEnd: Int
    }

    enum Delivery: Sendable {
        /// Before `post` returned.
        case direct
        /// After it returned, because it was made inside a handler.
        case queued
        /// It was made in a deinit that may have run within a delivery.
        case unknown
    }

    struct Call: Sendable {
        let observation: Int
        let message: Int
        let span: Span
        /// The last stamp of its thread before it: the handler's flag was read after that.
        let checkedAfter: Int
    }

    struct End: Sendable {
        let kind: ModelEnd
        let span: Span
    }

    /// All that is known of one observation.
    struct Life: Sendable {
        let observation: ModelObservation
        let registration: Span
        var ends: [End] = []
        var calls: [Call] = []
    }

    struct OwnerLife: Sendable {
        /// When the program dropped its reference.
        var releasedAt = Int.max
        /// When its deinit began.
        var diedAt = Int.max
    }

    struct Count: Sendable {
        let place: ModelPlace
        let span: Span
        let result: Int
    }

    struct Churn: Sendable {
        let place: ModelPlace
        let span: Span
        let size: Int
    }

    var lives: [Int: Life] = [:]
    var posts: [Int: Post] = [:]
    var owners: [Int: OwnerLife] = [:]
    var counts: [Count] = []
    var churns: [Churn] = []
    /// What was wrong already while the logs were read.
    var violations: [String] = []
}
