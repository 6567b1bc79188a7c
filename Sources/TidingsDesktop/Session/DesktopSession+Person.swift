// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
internal import TidingsUserNotifications

extension DesktopSession {
    /// The time after which a sound is cut.
    private static let soundLimit = Duration.seconds(30)

    /// Returns whether the user has turned on do-not-disturb mode, or nil if the daemon does not
    /// report the mode.
    func doNotDisturb() async -> Bool? {
        guard let daemon = state.daemon, let connection,
            let call = daemon.capabilities?.quietCall(of: daemon.owner)
        else { return nil }
        let limit = settings.quietLimit
        let result = await withCheckedContinuation { continuation in
            connection.call(call, limit: limit) { continuation.resume(returning: $0) }
        }
        switch result {
        case .success(let message):
            guard case .variant(.bool(let isQuiet))? = message.body.first else { return nil }
            return isQuiet
        // Xfce stores only settings that the user has changed.
        case .failure(.refused(let name, _)) where name.hasSuffix(".PropertyNotFound"):
            return false
        case .failure: return nil
        }
    }

    /// Opens the desktop's settings of notifications and returns the reason if that fails.
    func openSettings() -> String? {
        let server = state.daemon?.capabilities?.server ?? ""
        guard
            let command = SettingsProgram.command(
                server: server,
                environment: settings.environment
            ),
            DesktopProgram.start(command)
        else {
            return "No program for the settings of notifications was found. Tell the person to "
                + "open the desktop's own settings."
        }
        return nil
    }

    /// Plays a sound, unless another sound is playing or do-not-disturb mode is on.
    func play(_ command: [String]) {
        guard !isPlaying else { return }
        isPlaying = true
        Task {
            let isQuiet = await doNotDisturb() ?? false
            let ended: @Sendable () -> Void = { [weak self] in
                self?.enqueue { $0.isPlaying = false }
            }
            guard !isQuiet, DesktopProgram.start(command, limit: Self.soundLimit, ended: ended)
            else {
                isPlaying = false
                return
            }
        }
    }
}

extension DaemonCapabilities {
    /// Returns the call that reads do-not-disturb mode, or nil if the daemon does not report the
    /// mode.
    func quietCall(of owner: String) -> BusCall? {
        switch server.lowercased() {
        case "dunst": Self.property("paused", of: "org.dunstproject.cmd0", owner)
        case "plasma": Self.property("Inhibited", of: DesktopNames.daemon, owner)
        case "xfce notify daemon":
            BusCall(
                destination: "org.xfce.Xfconf",
                path: "/org/xfce/Xfconf",
                interface: "org.xfce.Xfconf",
                member: "GetProperty",
                body: [.string("xfce4-notifyd"), .string("/do-not-disturb")]
            )
        default: nil
        }
    }

    private static func property(
        _ name: String,
        of interface: String,
        _ owner: String
    ) -> BusCall {
        BusCall.ofDaemon(
            owner,
            "Get",
            body: [.string(interface), .string(name)],
            interface: "org.freedesktop.DBus.Properties"
        )
    }
}
#endif
