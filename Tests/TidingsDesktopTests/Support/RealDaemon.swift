// SPDX-License-Identifier: Apache-2.0
import TidingsUserNotifications

@testable import TidingsDesktop

/// A program that shows notifications, and how a person uses what it draws.
enum RealDaemon: String, CaseIterable, Sendable {
    case dunst
    case xfce = "xfce4-notifyd"
    case lxqt = "lxqt-notificationd"

    /// Runs `body` on a screen and a bus with this daemon.
    func with<Value: Sendable>(
        _ body: @Sendable (Stage) async throws -> Value
    ) async throws -> Value {
        try await Desktop.with { desktop in
            try await desktop.call("display")
            try await desktop.call("daemon", ["daemon": .string(rawValue)])
            return try await body(await Stage(desktop))
        }
    }

    /// How many windows it draws some notifications in.
    func windows(for count: Int) -> Int { self == .xfce ? count : 1 }

    /// Presses the second of the three buttons, the first of which is the tap itself.
    func pressSecondButton(_ stage: Stage, title: String) async throws {
        switch self {
        case .dunst: try await stage.desktop.call("choose", ["text": .string(title)])
        case .xfce: try await stage.click(fromLeft: 0.5, fromBottom: 30)
        case .lxqt: try await stage.click(fromLeft: 0.47, fromBottom: 39)
        }
    }

    /// Taps the notification itself; where that only closes it, the button for it.
    func open(_ stage: Stage) async throws {
        switch self {
        case .dunst, .lxqt: try await stage.click(fromLeft: 0.3, fromTop: 20)
        case .xfce: try await stage.click(fromLeft: 0.17, fromBottom: 30)
        }
    }

    /// Puts the notification away.
    func dismiss(_ stage: Stage) async throws {
        switch self {
        case .dunst: try await stage.click(fromLeft: 0.5, fromTop: 20, button: 3)
        case .xfce: try await stage.click(fromLeft: 0.5, fromTop: 20)
        case .lxqt: try await stage.click(fromLeft: 0.92, fromTop: 28)
        }
    }
}

extension Stage {
    /// Where the bubbles are, once there are so many.
    func windows(_ count: Int) async throws -> [JSON] {
        try await desktop.call("windows", ["count": JSON(integerLiteral: count)])["windows"]
            .elements
    }

    /// Clicks somewhere on the only bubble.
    func click(
        fromLeft part: Double,
        fromTop top: Int? = nil,
        fromBottom bottom: Int = 0,
        button: Int = 1
    ) async throws {
        let frame = try await windows(1)[0].elements.map(\.integer)
        let y = top.map { frame[1] + $0 } ?? frame[1] + frame[3] - bottom
        try await desktop.call(
            "click",
            [
                "x": JSON(integerLiteral: frame[0] + Int(part * Double(frame[2]))),
                "y": JSON(integerLiteral: y), "button": JSON(integerLiteral: button),
            ]
        )
    }
}
