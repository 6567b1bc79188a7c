// SPDX-License-Identifier: Apache-2.0
internal import TidingsUserNotifications

/// What is known of whoever shows notifications, and of what is shown, as a value.
///
/// Whatever happens comes in as a call, and what is to be done about it comes out as actions, to be
/// done in their order. Numbers of notifications are used only together with the unique name of the
/// owner who has given them: after another one has come they mean nothing.
struct DaemonState {
    /// A notification on its way to being shown.
    struct Posting: Hashable, Sendable {
        let notification: UserNotification
        /// Under which the result is awaited.
        let ticket: Int
        /// Whether an earlier run has shown it already.
        var isClaim = false
        /// How often it was sent to a daemon that then was gone.
        var attempts = 0
        /// Whether whoever awaits the result was told that nobody has answered.
        var isLate = false

        var identifier: String { notification.identifier }
    }

    /// One call of `Notify`.
    struct Notify: Hashable, Sendable {
        /// Tells it from the others.
        let number: Int
        let owner: String
        let replaced: UInt32
        let arguments: NotifyArguments
    }

    enum Action: Hashable, Sendable {
        /// Connect to the bus, and find out who is there.
        case open
        /// Have the bus start somebody who shows notifications.
        case start
        /// Ask what the owner can do.
        case describe(owner: String)
        case notify(Notify)
        case close(owner: String, id: UInt32)
        /// Whoever awaits the ticket gets this; later ones do not count.
        case settle(Int, NotificationBackendResult)
        case tell(NotificationBackendEvent)
    }

    enum Bus: Hashable {
        case idle
        case opening
        case open(server: String)
        case failed(String)
    }

    struct Daemon: Hashable {
        let owner: String
        var traits: DaemonTraits?
        var isAsked = false
    }

    struct Shown: Hashable {
        let id: UInt32
        let delivery: NotificationDelivery
        let keys: ActionKeys
        var token: String?
        var isAnswered = false
    }

    struct Flight: Hashable {
        var posting: Posting
        let notify: Notify
    }

    /// All that concerns one identifier: what is shown, what is being sent, what comes next.
    struct Line: Hashable {
        var shown: Shown?
        var flight: Flight?
        var next: Posting?
        /// Whether it is to be closed once its flight has landed.
        var isEnding = false

        var isEmpty: Bool { shown == nil && flight == nil && next == nil }
    }

    var program = NotifyArguments.Program()
    var bus = Bus.idle
    /// Why nobody waits for the bus, once it has taken a connection and then said nothing.
    var silence: String?
    var daemon: Daemon?
    var isActivatable = false
    var isStarting = false
    /// Whether whoever is being started has not come in time, and is waited for no more.
    var isStartLate = false
    /// Whether the last start has failed so recently that another one would, too.
    var isStartBarred = false
    var startFailure: String?
    var lines: [String: Line] = [:]
    /// The lines of the numbers that the current owner has given.
    var shown: [UInt32: String] = [:]
    /// The lines of the calls that nobody has answered yet.
    var flights: [Int: String] = [:]
    var lastNumber = 0
    var lastTold: Told?

    /// What was told of who is there.
    struct Told: Hashable {
        let availability: NotificationAvailability
        let features: NotificationFeatures
    }

    /// Whether somebody shows notifications; nil while that is being found out.
    var availability: NotificationAvailability? {
        switch bus {
        case .idle, .opening: silence.map { .unavailable($0) }
        case .failed(let reason): .unavailable(reason)
        case .open:
            if daemon != nil {
                .available
            } else if let startFailure {
                .unavailable(startFailure)
            } else if isActivatable {
                .available
            } else {
                .unavailable("No program that shows notifications is running.")
            }
        }
    }

    /// What can be shown, as far as that is known.
    var features: NotificationFeatures {
        daemon?.traits?.features ?? Self.usualFeatures
    }

    /// What is taken for possible until somebody has said what is.
    static let usualFeatures = DaemonTraits(
        capabilities: ["body", "actions", "icon-static"]
    ).features

    /// Tells if something has become known or another one than before.
    mutating func tellChange(_ actions: inout [Action]) {
        guard let availability else { return }
        let told = Told(availability: availability, features: features)
        guard told != lastTold else { return }
        lastTold = told
        actions.append(.tell(.availabilityChanged(availability)))
    }
}
