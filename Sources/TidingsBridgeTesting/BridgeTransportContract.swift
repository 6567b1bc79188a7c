// SPDX-License-Identifier: Apache-2.0
public import TidingsBridge

/// The contract of a transport of bridges, and the attempts that check the contract.
///
/// Each attempt makes a separate transport and space. If the transport breaks the contract, the
/// attempt throws a `TidingsTestingError` with the code `brokenPromise`. Attempts skip features
/// that the transport does not have.
///
/// ```swift
/// @Test(arguments: BridgeTransportContract.attempts)
/// func keepsTheContract(_ attempt: BridgeTransportContract.Attempt) async throws {
///     let contract = BridgeTransportContract(features: .all) { InMemoryServer().transport() }
///     try await contract.check(attempt)
/// }
/// ```
public struct BridgeTransportContract: Sendable {
    /// The features of a transport beyond publishing and reading.
    public struct Features: Hashable, Sendable {
        /// Whether the stream recognizes a repeated id.
        public var dropsRepeats: Bool
        /// Whether connections can share the frames of a group.
        public var sharesWork: Bool
        /// Whether the transport carries transient frames.
        public var isTransient: Bool
        /// Whether subscriptions of one group share transient frames.
        public var hasTransientGroups: Bool
        /// Whether the server answers a frame with a reply subject that no connection receives.
        ///
        /// Without an answer, a request that no process answers ends with the time limit.
        public var answersWithoutReceiver: Bool

        /// Creates a description.
        public init(
            dropsRepeats: Bool,
            sharesWork: Bool,
            isTransient: Bool,
            hasTransientGroups: Bool,
            answersWithoutReceiver: Bool
        ) {
            self.dropsRepeats = dropsRepeats
            self.sharesWork = sharesWork
            self.isTransient = isTransient
            self.hasTransientGroups = hasTransientGroups
            self.answersWithoutReceiver = answersWithoutReceiver
        }

        /// All features.
        public static let all = Features(
            dropsRepeats: true,
            sharesWork: true,
            isTransient: true,
            hasTransientGroups: true,
            answersWithoutReceiver: true
        )
    }

    /// One attempt to break the contract.
    public enum Attempt: String, Sendable, CaseIterable, CustomStringConvertible {
        /// Every published row is acknowledged with growing sequences, and read in that order.
        case publishedFramesAreReadInOrder
        /// Subject, headers and body arrive as they were sent, whatever bytes the body has.
        case framesArriveUnchanged
        /// A repeated id is acknowledged as a duplicate and stored once, over any connection.
        case repeatsAreStoredOnce
        /// A frame that must follow another frame is refused if a newer frame is stored.
        case aSupersededFrameIsRefused
        /// A frame that is too large is refused, and the frames behind that frame are stored.
        case aFrameThatIsTooLargeIsRefused
        /// A reader returns only the frames of its subjects.
        case readersReturnTheirSubjectsOnly
        /// Readers from now, the beginning and a sequence start there.
        case readersBeginWhereTheySay
        /// Old and new frames join without a gap or a repeat.
        case oldAndNewFramesJoin
        /// The state of the stream and single frames can be read.
        case theStreamDescribesItself
        /// A closed connection ends all calls, and the reader, with `closed`.
        case aClosedConnectionEndsEveryCall
        /// A cancelled task stops waiting.
        case cancellationEndsAWait
        /// Each shared frame goes to one connection, and to another if the first connection ends.
        case sharedFramesAreHandledOnce
        /// A frame that is returned is delivered again.
        case aReturnedFrameComesBack
        /// A frame in work stays with a connection that extends the limit, or else moves on.
        case workThatGoesOnKeepsItsFrame
        /// A transient frame reaches the present subscriptions and no later subscriptions.
        case transientFramesAreNotStored
        /// Each transient frame reaches one subscription of a group.
        case groupsShareTransientFrames
        /// A connection does not receive its own transient frames, even as a member of a group.
        case transientFramesGoToOthers
        /// A frame with a reply subject that no other connection receives is answered immediately.
        case aRequestWithoutReceiverIsAnswered

        /// The name.
        public var description: String { rawValue }
    }

    /// All attempts.
    public static let attempts = Attempt.allCases

    private let features: Features
    private let make: @Sendable () async throws -> any BridgeTransport

    /// Creates a contract for one kind of transport.
    ///
    /// - Parameters:
    ///   - features: The features of the transport.
    ///   - make: A closure that returns a transport, in which the attempt uses a separate space.
    public init(
        features: Features,
        make: @escaping @Sendable () async throws -> any BridgeTransport
    ) {
        self.features = features
        self.make = make
    }

    /// Runs all attempts in order.
    ///
    /// - Throws: `TidingsTestingError` at the first broken promise, or an error of `make` or of
    ///   the transport.
    public func check() async throws {
        for attempt in Self.attempts { try await check(attempt) }
    }

    /// Runs one attempt.
    ///
    /// The check waits for as long as a call of the transport takes, so give the test a time limit.
    ///
    /// - Parameter attempt: The attempt to run.
    /// - Throws: `TidingsTestingError` when the transport breaks the promise, or an error of
    ///   `make` or of the transport.
    public func check(_ attempt: Attempt) async throws {
        let fixture = TransportFixture(attempt, try await make())
        switch attempt {
        case .publishedFramesAreReadInOrder: try await fixture.publishedFramesAreReadInOrder()
        case .framesArriveUnchanged: try await fixture.framesArriveUnchanged()
        case .repeatsAreStoredOnce where features.dropsRepeats:
            try await fixture.repeatsAreStoredOnce()
        case .aSupersededFrameIsRefused: try await fixture.aSupersededFrameIsRefused()
        case .aFrameThatIsTooLargeIsRefused: try await fixture.aFrameThatIsTooLargeIsRefused()
        case .readersReturnTheirSubjectsOnly: try await fixture.readersReturnTheirSubjectsOnly()
        case .readersBeginWhereTheySay: try await fixture.readersBeginWhereTheySay()
        case .oldAndNewFramesJoin: try await fixture.oldAndNewFramesJoin()
        case .theStreamDescribesItself: try await fixture.theStreamDescribesItself()
        case .aClosedConnectionEndsEveryCall: try await fixture.aClosedConnectionEndsEveryCall()
        case .cancellationEndsAWait: try await fixture.cancellationEndsAWait()
        case .sharedFramesAreHandledOnce where features.sharesWork:
            try await fixture.sharedFramesAreHandledOnce()
        case .aReturnedFrameComesBack where features.sharesWork:
            try await fixture.aReturnedFrameComesBack()
        case .workThatGoesOnKeepsItsFrame where features.sharesWork:
            try await fixture.workThatGoesOnKeepsItsFrame()
        case .transientFramesAreNotStored where features.isTransient:
            try await fixture.transientFramesAreNotStored()
        case .groupsShareTransientFrames where features.hasTransientGroups:
            try await fixture.groupsShareTransientFrames()
        case .transientFramesGoToOthers where features.hasTransientGroups:
            try await fixture.transientFramesGoToOthers()
        case .aRequestWithoutReceiverIsAnswered where features.answersWithoutReceiver:
            try await fixture.aRequestWithoutReceiverIsAnswered()
        // The transport lacks the feature.
        case .repeatsAreStoredOnce, .sharedFramesAreHandledOnce, .aReturnedFrameComesBack,
            .workThatGoesOnKeepsItsFrame, .transientFramesAreNotStored,
            .groupsShareTransientFrames, .transientFramesGoToOthers,
            .aRequestWithoutReceiverIsAnswered:
            break
        }
    }
}
