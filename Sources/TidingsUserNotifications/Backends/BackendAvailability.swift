// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// The last availability that the backend reported.
final class BackendAvailability: Sendable {
    private let last = Lock<NotificationAvailability?>(nil)

    /// Sets the availability that the backend reported, and returns whether the availability
    /// changed.
    func update(_ availability: NotificationAvailability) -> Bool {
        last.withLock { last in
            defer { last = availability }
            return last ?? .available != availability
        }
    }

    /// Sets the availability that the center queried, unless the backend has reported one since.
    ///
    /// - Returns: Whether the status changed.
    func setInitial(_ availability: NotificationAvailability) -> Bool {
        last.withLock { last in
            guard last == nil else { return false }
            last = availability
            return availability != .available
        }
    }

    /// Returns the authorization status for an answer and the last availability.
    func status(_ answer: AuthorizationAnswer?) -> UserNotificationAuthorizationStatus {
        let status = UserNotificationAuthorizationStatus(answer)
        guard status == .authorized, case .unavailable = last.withLock({ $0 }) else {
            return status
        }
        return .unavailable
    }
}
