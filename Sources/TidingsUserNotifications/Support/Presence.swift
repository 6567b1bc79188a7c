// SPDX-License-Identifier: Apache-2.0
import Tidings

/// Whether somebody shows notifications, as far as it was told.
final class Presence: Sendable {
    private let known = Lock<NotificationAvailability?>(nil)

    /// Notes what was told, and says whether that is news.
    func note(_ availability: NotificationAvailability) -> Bool {
        known.withLock { known in
            defer { known = availability }
            return known ?? .available != availability
        }
    }

    /// Notes what was asked for, unless something was told meanwhile.
    func noteFirst(_ availability: NotificationAvailability) -> Bool {
        known.withLock { known in
            guard known == nil else { return false }
            known = availability
            return availability != .available
        }
    }

    /// What an answer means while that is so.
    func status(_ answer: AuthorizationAnswer?) -> AuthorizationStatus {
        let status = AuthorizationStatus(answer)
        guard status == .authorized, case .unavailable = known.withLock({ $0 }) else {
            return status
        }
        return .unavailable
    }
}
