// SPDX-License-Identifier: Apache-2.0
import Foundation
package import TidingsUserNotifications

/// The contract of a backend of user notifications, and the attempts that check this contract.
///
/// Each attempt makes a backend. If the backend breaks the contract, the attempt throws a
/// `TidingsTestingError` with the code `brokenPromise` that names the promise. Attempts skip
/// features that the backend does not have.
///
/// ```swift
/// @Test(arguments: NotificationBackendContract.attempts)
/// func keepsTheContract(_ attempt: NotificationBackendContract.Attempt) async throws {
///     let contract = NotificationBackendContract {
///         let backend = UserNotificationInMemoryBackend()
///         return (backend, InMemoryNotificationPerson(backend))
///     }
///     try await contract.check(attempt)
/// }
/// ```
package struct NotificationBackendContract: Sendable {
    /// One attempt to break the contract.
    package enum Attempt: String, Sendable, CaseIterable, CustomStringConvertible {
        /// N4: of the notifications with one identifier, only the latest is visible.
        case anIdentifierIsSeenOnce
        /// N6: title and body are shown unchanged.
        case whatIsGivenIsWhatIsRead
        /// N5: exactly the unsupported features are reported as degraded.
        case whatIsLeftOutIsNamed
        /// N8: a tap, an action and a text reply are reported for the right delivery.
        case whatThePersonDoesComesBack
        /// N8: the dismissal of a notification by the user is reported.
        case whatIsPutAwayIsTold
        /// N9: a closed notification is gone, and closing an unknown identifier is harmless.
        case whatIsClosedIsGone
        /// N10: a later run takes over visible notifications and receives their events.
        case aLaterRunTakesOver
        /// N17: the badge may be set and cleared at any time.
        case theBadgeIsSetAndCleared

        /// The name.
        package var description: String { rawValue }
    }

    /// All attempts.
    package static let attempts = Attempt.allCases

    private let limit: Duration
    private let make: @Sendable () async throws -> (any NotificationBackend, any NotificationPerson)

    /// Creates a contract for one kind of backend.
    ///
    /// - Parameters:
    ///   - limit: The maximum wait for a notification to become visible or for an event.
    ///   - make: Returns a backend that is not started, and a simulated user who sees the
    ///     notifications. If an attempt calls the closure twice, the two backends belong to two
    ///     runs of one program.
    package init(
        limit: Duration = .seconds(10),
        make:
            @escaping @Sendable () async throws -> (
                any NotificationBackend, any NotificationPerson
            )
    ) {
        self.limit = limit
        self.make = make
    }

    /// Runs all attempts in order.
    ///
    /// - Throws: `TidingsTestingError` at the first broken promise, or an error of `make` or of the
    ///   simulated user.
    package func check() async throws {
        for attempt in Self.attempts { try await check(attempt) }
    }

    /// Runs one attempt.
    ///
    /// - Parameter attempt: The attempt to run.
    /// - Throws: `TidingsTestingError` when the backend breaks the promise, or an error of `make`
    ///   or of the simulated user.
    package func check(_ attempt: Attempt) async throws {
        let (backend, person) = try await make()
        let fixture = NotificationBackendFixture(attempt, limit, backend, person)
        switch attempt {
        case .anIdentifierIsSeenOnce: try await fixture.anIdentifierIsSeenOnce()
        case .whatIsGivenIsWhatIsRead: try await fixture.whatIsGivenIsWhatIsRead()
        case .whatIsLeftOutIsNamed: try await fixture.whatIsLeftOutIsNamed()
        case .whatThePersonDoesComesBack: try await fixture.whatThePersonDoesComesBack()
        case .whatIsPutAwayIsTold: try await fixture.whatIsPutAwayIsTold()
        case .whatIsClosedIsGone: try await fixture.whatIsClosedIsGone()
        case .aLaterRunTakesOver:
            try await fixture.aLaterRunTakesOver { try await make() }
        case .theBadgeIsSetAndCleared: try await fixture.theBadgeIsSetAndCleared()
        }
    }
}
