// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings
public import TidingsUserNotifications

/// What every backend of user notifications must keep, and the attempts to catch it at less.
///
/// Each attempt makes a backend, and throws a ``TidingsTestingError`` with the code
/// `brokenPromise` that names the promise. What a backend's features leave out is not asked of it.
///
/// ```swift
/// @Test(arguments: NotificationBackendContract.attempts)
/// func keepsTheContract(_ attempt: NotificationBackendContract.Attempt) async throws {
///     let contract = NotificationBackendContract {
///         let backend = InMemoryNotificationBackend()
///         return (backend, InMemoryNotificationPerson(backend))
///     }
///     try await contract.check(attempt)
/// }
/// ```
public struct NotificationBackendContract: Sendable {
    /// One attempt.
    public enum Attempt: String, Sendable, CaseIterable, CustomStringConvertible {
        /// Promise 4: one visible notification for an identifier, the latest.
        case anIdentifierIsSeenOnce
        /// Promise 6: what is given is what is read.
        case whatIsGivenIsWhatIsRead
        /// Promise 5: what cannot be shown is named as left out, and nothing else.
        case whatIsLeftOutIsNamed
        /// Promise 8: a tap, an action and an answer in words come back, for the right delivery.
        case whatThePersonDoesComesBack
        /// Promise 8: that a person has put a notification away comes back.
        case whatIsPutAwayIsTold
        /// Promise 9: what was closed is gone, and closing what is not there does no harm.
        case whatIsClosedIsGone
        /// Promise 10: a later run takes over what is shown, and hears of it.
        case aLaterRunTakesOver
        /// Promise 17: the badge may be set and cleared at any time.
        case theBadgeIsSetAndCleared

        /// The name.
        public var description: String { rawValue }
    }

    /// All attempts.
    public static let attempts = Attempt.allCases

    private let limit: Duration
    private let make: @Sendable () async throws -> (any NotificationBackend, any NotificationPerson)

    /// Creates a contract for one kind of backend.
    ///
    /// - Parameters:
    ///   - limit: How long a wait for something to be seen or told may take.
    ///   - make: Makes a backend that is not started, and somebody who sees what it shows. Called
    ///     twice in an attempt, the two are those of two runs of one program.
    public init(
        limit: Duration = .seconds(10),
        make:
            @escaping @Sendable () async throws -> (
                any NotificationBackend, any NotificationPerson
            )
    ) {
        self.limit = limit
        self.make = make
    }

    /// Makes all attempts, one after the other.
    ///
    /// - Throws: ``TidingsTestingError`` at the first broken promise, or what making a backend or
    ///   the person throws.
    public func check() async throws {
        for attempt in Self.attempts { try await check(attempt) }
    }

    /// Makes one attempt.
    ///
    /// - Parameter attempt: Which.
    /// - Throws: ``TidingsTestingError`` when the promise is broken, or what making a backend or
    ///   the person throws.
    public func check(_ attempt: Attempt) async throws {
        let (backend, person) = try await make()
        let stage = NotificationStage(attempt, limit, backend, person)
        switch attempt {
        case .anIdentifierIsSeenOnce: try await stage.anIdentifierIsSeenOnce()
        case .whatIsGivenIsWhatIsRead: try await stage.whatIsGivenIsWhatIsRead()
        case .whatIsLeftOutIsNamed: try await stage.whatIsLeftOutIsNamed()
        case .whatThePersonDoesComesBack: try await stage.whatThePersonDoesComesBack()
        case .whatIsPutAwayIsTold: try await stage.whatIsPutAwayIsTold()
        case .whatIsClosedIsGone: try await stage.whatIsClosedIsGone()
        case .aLaterRunTakesOver:
            try await stage.aLaterRunTakesOver { try await make() }
        case .theBadgeIsSetAndCleared: try await stage.theBadgeIsSetAndCleared()
        }
    }
}
