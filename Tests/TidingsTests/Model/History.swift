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
        /// When the posts began whose delivery was in progress around it.
        var deliveries: [Int] = []

        /// Whether it was done by a handler that was called by the post `other`.
        func isInCall(of other: Span) -> Bool {
            thread == other.thread && deliveries.contains(other.begin)
        }

        /// Whether it was over before `other` began.
        func isBefore(_ other: Span) -> Bool { end < other.begin }
    }

    struct Post: Sendable {
        let post: ModelPost
        var span: Span
        let recipients: Int
        let delivery: Delivery
        /// The end of the delivery on its own thread.
        var turnEnd: Int
        /// Whether it may come before a post that is held up around it.
        var isAhead = false

        var number: Int { post.number }
        var place: ModelPlace { post.place }
    }

    enum Delivery: Sendable {
        /// Before `post` returned.
        case direct
        /// After it returned, because it was made inside a handler.
        case queued
        /// Before it returned, although it was made inside a handler.
        case nested
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
        /// Where threads used its token without ending it.
        var uses: [Span] = []
        var blocks: [Switch] = []
        var calls: [Call] = []

        var id: Int { observation.id }

        /// Whether a call was made where the observation was: with what was there before, or with
        /// what waited behind that.
        func isReplay(_ call: Call) -> Bool {
            call.span.thread == registration.thread && call.span.begin > registration.begin
                && call.span.end < registration.end
        }
    }

    /// Blocking or resuming.
    struct Switch: Sendable {
        let isBlocked: Bool
        let span: Span
    }

    /// What was done with the retained messages of a place.
    struct Memory: Sendable {
        let place: ModelPlace
        let span: Span
        /// What was found; nil if they were forgotten.
        let found: [Int]?
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
    /// What handlers threw and the hook was told of: observation and message.
    var failures: [[Int]] = []
    /// What the unhandled hook was told of; nil if there was none.
    var missed: [Int]?
    /// When the work of each center was ended.
    var finishes: [Int: [Span]] = [:]
    /// When each center was blocked and resumed.
    var silences: [Int: [Switch]] = [:]
    var memories: [Memory] = []
    /// What was wrong already while the logs were read.
    var violations: [String] = []
}
