// SPDX-License-Identifier: Apache-2.0

/// The facts of a run of several threads, with the stamps between which they happened.
///
/// A history is a plain value, made from the logs. The last log belongs to the main actor.
struct History: Sendable {
    /// An interval between two stamps on one thread.
    struct Span: Hashable, Sendable {
        var thread: Int
        var begin: Int
        var end: Int
        /// The start stamps of the posts whose delivery was in progress around the span.
        var deliveries: [Int] = []

        /// Whether the span lies in a handler that the post `other` called.
        func isInCall(of other: Span) -> Bool {
            thread == other.thread && deliveries.contains(other.begin)
        }

        /// Whether the span was over before `other` started.
        func isBefore(_ other: Span) -> Bool { end < other.begin }
    }

    struct Post: Sendable {
        let post: ModelPost
        var span: Span
        let recipients: Int
        let delivery: Delivery
        /// The end of the delivery on the post's own thread.
        var turnEnd: Int
        /// Whether the post may come before another post that is held up around it.
        var isAhead = false

        var number: Int { post.number }
        var place: ModelPlace { post.place }
    }

    enum Delivery: Sendable {
        /// A delivery before `post` returned.
        case direct
        /// A delivery after `post` returned, because the post was made inside a handler.
        case queued
        /// A delivery before `post` returned, although the post was made inside a handler.
        case nested
        /// The post was made in a deinit that may have run within a delivery.
        case unknown
    }

    struct Call: Sendable {
        let observation: Int
        let message: Int
        let span: Span
        /// The last stamp of the thread before the call.
        ///
        /// The handler's flag was read after this stamp.
        let checkedAfter: Int
    }

    struct End: Sendable {
        let kind: ModelEnd
        let span: Span
    }

    /// All known facts about one observation.
    struct Life: Sendable {
        let observation: ModelObservation
        let registration: Span
        var ends: [End] = []
        /// The spans in which threads used the token without ending the observation.
        var uses: [Span] = []
        var blocks: [Switch] = []
        var calls: [Call] = []

        var id: Int { observation.id }

        /// Whether a call was made by observing.
        ///
        /// Such a call has a message from before the observation, or one that waited behind the
        /// replay.
        func isReplay(_ call: Call) -> Bool {
            call.span.thread == registration.thread && call.span.begin > registration.begin
                && call.span.end < registration.end
        }
    }

    /// A call that blocks or resumes.
    struct Switch: Sendable {
        let isBlocked: Bool
        let span: Span
    }

    /// An access to the retained messages of a place.
    struct Memory: Sendable {
        let place: ModelPlace
        let span: Span
        /// The messages that were found, or nil if the messages were forgotten.
        let found: [Int]?
    }

    struct OwnerLife: Sendable {
        /// The stamp at which the program dropped the last reference.
        var releasedAt = Int.max
        /// The stamp at which the deinit started.
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
    /// The errors that reached the hook, as observation and message.
    var failures: [[Int]] = []
    /// The messages that reached the unhandled hook, or nil without a hook.
    var missed: [Int]?
    /// The spans in which the work of each center was ended.
    var finishes: [Int: [Span]] = [:]
    /// The spans in which each center was blocked and resumed.
    var silences: [Int: [Switch]] = [:]
    var memories: [Memory] = []
    /// The violations that were already found while reading the logs.
    var violations: [String] = []
}
