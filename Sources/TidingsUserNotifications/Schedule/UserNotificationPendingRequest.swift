// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A request that is scheduled and has not fired yet.
public struct UserNotificationPendingRequest: Hashable, Sendable {
    /// The scheduled request.
    public let request: UserNotificationRequest
    /// The next date at which the request fires, if neither the clock nor the time zone is changed.
    public let nextFireDate: Date?

    init(request: UserNotificationRequest, date: Date?) {
        self.request = request
        nextFireDate = date
    }
}
