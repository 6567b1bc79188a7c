// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
internal import TidingsUserNotifications

/// The state of the notification daemon and the notifications, as a value without side effects.
///
/// Each event is a method call that returns the actions to perform, in order. A notification ID is
/// always used together with the unique name of the owner that assigned the ID, because the IDs of
/// an earlier owner are void.
struct DaemonState {
    /// A notification that is to be shown.
    struct Posting: Hashable, Sendable {
        let notification: UserNotification
        /// The key under which the caller waits for the result.
        let ticket: Int
        /// Whether an earlier run of the program has already shown the notification.
        var isClaim = false
        /// The number of times that the notification was sent to a daemon that then exited.
        var attempts = 0
        /// Whether the caller already received a timeout as the result.
        var isLate = false

        var identifier: String { notification.identifier }
    }

    /// A call of the method `Notify`.
    struct Notify: Hashable, Sendable {
        /// Identifies the call.
        let number: Int
        let owner: String
        /// The ID of the notification to replace, or 0 for none.
        let replaced: UInt32
        let arguments: NotifyArguments
    }

    /// A side effect that the caller of a method performs.
    enum Action: Hashable, Sendable {
        /// Connect to the bus and find the daemon's owner.
        case open
        /// Have the bus start a notification daemon.
        case start
        /// Request the capabilities of the owner.
        case describe(owner: String)
        case notify(Notify)
        case close(owner: String, id: UInt32)
        /// Play a sound that the daemon does not play.
        case play([String])
        /// Return a result to the caller that waits under a ticket, and ignore later results for
        /// that ticket.
        case settle(Int, NotificationBackendResult)
        /// Pass an event to the center.
        case deliver(NotificationBackendEvent)
    }

    /// The state of the bus connection.
    enum Bus: Hashable {
        case idle
        case opening
        case open(server: String)
        case failed(String)
    }

    /// The current owner of the daemon's name.
    struct Daemon: Hashable {
        let owner: String
        /// The capabilities, or nil until the owner has reported them.
        var capabilities: DaemonCapabilities?
        /// Whether a `describe` action is in progress.
        var isDescribing = false
    }

    /// A notification that the daemon shows.
    struct VisibleNotification: Hashable {
        let id: UInt32
        let delivery: NotificationDelivery
        let keys: ActionKeys
        /// The activation token for the next response.
        var token: String?
        /// Whether the user has already responded.
        var hasResponse = false
    }

    /// A `Notify` call without a reply yet.
    struct PendingCall: Hashable {
        var posting: Posting
        let notify: Notify
    }

    /// The visible, the pending and the next notification of one identifier.
    struct Entry: Hashable {
        var visible: VisibleNotification?
        var pendingCall: PendingCall?
        var next: Posting?
        /// Whether to close the notification when the pending call returns.
        var isClosing = false

        var isEmpty: Bool { visible == nil && pendingCall == nil && next == nil }
    }

    var program = NotifyArguments.Program()
    /// The player of sounds in the daemon's place, or nil without an installed player.
    var player: SoundPlayer?
    var bus = Bus.idle
    /// The reason not to wait for a bus that accepted a connection but did not respond.
    var unresponsiveReason: String?
    var daemon: Daemon?
    var isActivatable = false
    var isStarting = false
    /// Whether the started daemon did not appear in time, after which callers no longer wait.
    var hasStartTimedOut = false
    /// Whether the last start failed so recently that another attempt would also fail.
    var isStartBlocked = false
    var startFailure: String?
    /// The entries, by notification identifier.
    var entries: [String: Entry] = [:]
    /// The identifiers of the visible notifications, by the IDs of the current owner.
    var identifiersByID: [UInt32: String] = [:]
    /// The identifiers of the pending calls, by call number.
    var identifiersByCall: [Int: String] = [:]
    var lastNumber = 0
    var lastSnapshot: AvailabilitySnapshot?
    /// Whether the system can start the program at a time.
    var startsProgram = false

    /// The values that the last availability event reported.
    struct AvailabilitySnapshot: Hashable {
        let availability: NotificationAvailability
        let features: UserNotificationFeatures
    }

    /// Whether notifications can be shown, or nil until the answer is known.
    var availability: NotificationAvailability? {
        switch bus {
        case .idle, .opening: unresponsiveReason.map { .unavailable($0) }
        case .failed(let reason): .unavailable(reason)
        case .open:
            if daemon != nil {
                .available
            } else if let startFailure {
                .unavailable(startFailure)
            } else if isActivatable {
                .available
            } else {
                .unavailable("No notification daemon is running. Install or start one.")
            }
        }
    }

    /// The daemon's features, or the default features until the daemon's are known.
    var features: UserNotificationFeatures {
        var features = daemon?.capabilities?.features ?? Self.defaultFeatures
        if player != nil { features.formUnion([.sound, .soundFile]) }
        if startsProgram { features.insert(.programStart) }
        return features
    }

    /// The features assumed until a daemon has reported others.
    static let defaultFeatures = DaemonCapabilities(["body", "actions", "icon-static"])
        .features

    /// Adds an availability event if the availability or the features changed.
    mutating func deliverAvailabilityChange(_ actions: inout [Action]) {
        guard let availability else { return }
        let snapshot = AvailabilitySnapshot(availability: availability, features: features)
        guard snapshot != lastSnapshot else { return }
        lastSnapshot = snapshot
        actions.append(.deliver(.availabilityChanged(availability)))
    }
}
#endif
