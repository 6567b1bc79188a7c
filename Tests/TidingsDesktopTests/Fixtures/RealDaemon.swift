// SPDX-License-Identifier: Apache-2.0

/// An installed notification daemon, and the clicks that the daemon's windows need.
enum RealDaemon: String, CaseIterable, Sendable {
    case dunst
    case xfce = "xfce4-notifyd"
    case lxqt = "lxqt-notificationd"

    /// Runs `body` with this daemon on a private display and bus.
    func with<Value: Sendable>(
        _ body: @Sendable (BackendFixture) async throws -> Value
    ) async throws -> Value {
        try await Desktop.with { desktop in
            try await desktop.call("display")
            try await desktop.call("daemon", ["daemon": .string(rawValue)])
            return try await body(await BackendFixture(desktop))
        }
    }

    /// Returns the number of windows that show `count` notifications.
    func windows(for count: Int) -> Int { self == .xfce ? count : 1 }

    /// Presses the second of the three buttons.
    ///
    /// The first button is the default action.
    func pressSecondButton(_ fixture: BackendFixture, title: String) async throws {
        switch self {
        case .dunst: try await fixture.desktop.call("choose", ["text": .string(title)])
        case .xfce: try await fixture.click(fromLeft: 0.5, fromBottom: 30)
        case .lxqt: try await fixture.click(fromLeft: 0.47, fromBottom: 39)
        }
    }

    /// Presses the second of two buttons.
    func pressLastOfTwoButtons(_ fixture: BackendFixture, title: String) async throws {
        switch self {
        case .dunst: try await fixture.desktop.call("choose", ["text": .string(title)])
        case .xfce: try await fixture.click(fromLeft: 0.75, fromBottom: 30)
        case .lxqt: try await fixture.click(fromLeft: 0.72, fromBottom: 39)
        }
    }

    /// Clicks the notification itself, or the *Open* button if a click only closes the
    /// notification.
    func open(_ fixture: BackendFixture) async throws {
        switch self {
        case .dunst, .lxqt: try await fixture.click(fromLeft: 0.3, fromTop: 20)
        case .xfce: try await fixture.click(fromLeft: 0.17, fromBottom: 30)
        }
    }

    /// Dismisses the notification.
    func dismiss(_ fixture: BackendFixture) async throws {
        switch self {
        case .dunst: try await fixture.click(fromLeft: 0.5, fromTop: 20, button: 3)
        case .xfce: try await fixture.click(fromLeft: 0.5, fromTop: 20)
        case .lxqt: try await fixture.click(fromLeft: 0.92, fromTop: 28)
        }
    }
}

extension BackendFixture {
    /// Returns the frames of the bubbles, as soon as there are `count` frames.
    func windows(_ count: Int) async throws -> [JSON] {
        try await desktop.call("windows", ["count": JSON(integerLiteral: count)])["windows"]
            .elements
    }

    /// Clicks a point on the only bubble.
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
