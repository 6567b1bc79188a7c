// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A request whose time has not come.
public struct PendingNotification: Hashable, Sendable, Identifiable {
    /// What was requested.
    public let request: UserNotificationRequest
    /// When it fires, as far as clock and zone stay as they are.
    public let nextFireDate: Date?

    /// The identifier of the request.
    public var id: String { request.identifier }

    init(request: UserNotificationRequest, date: Date?) {
        self.request = request
        nextFireDate = date
    }
}
