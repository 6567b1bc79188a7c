// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
/// The signal that sets the badge of a program in launchers and docks.
enum LauncherEntry {
    /// Returns the signal that shows a count for the program with a desktop file.
    ///
    /// A count of 0 removes the badge.
    static func update(_ count: Int, of program: NotifyArguments.Program) -> BusSignal {
        BusSignal(
            path: path(of: program),
            interface: "com.canonical.Unity.LauncherEntry",
            member: "Update",
            body: [
                .string("application://\(BusText.readable(program.id)).desktop"),
                .options([
                    "count": .int64(Int64(max(count, 0))),
                    "count-visible": .bool(count > 0),
                ]),
            ]
        )
    }

    /// Returns a path for each store of a program, because launchers keep one entry for each sender
    /// and path.
    private static func path(of program: NotifyArguments.Program) -> String {
        var hash: UInt32 = 2_166_136_261
        for byte in program.globalName(of: "").utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
        return "/com/canonical/unity/launcherentry/\(hash)"
    }
}

extension DesktopSession {
    /// Sets the badge now, or when the connection is open.
    func setBadge(_ count: Int) {
        badge = count
        if connection == nil || handshake != nil {
            perform(state.connect())
        } else {
            emitBadge()
        }
    }

    /// Sends the badge, which launchers drop when the connection ends.
    func emitBadge() {
        try? connection?.emit(LauncherEntry.update(badge, of: state.program))
    }
}
#endif
