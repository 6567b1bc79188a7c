// SPDX-License-Identifier: Apache-2.0

/// The number at a program's picture, as launchers and docks hear of it.
enum LauncherEntry {
    /// The signal that shows a count for the program with a desktop file; 0 takes it away.
    static func update(_ count: Int, of program: String) -> BusSignal {
        BusSignal(
            path: path(of: program),
            interface: "com.canonical.Unity.LauncherEntry",
            member: "Update",
            body: [
                .string("application://\(BusText.readable(program)).desktop"),
                .options([
                    "count": .int64(Int64(max(count, 0))),
                    "count-visible": .bool(count > 0),
                ]),
            ]
        )
    }

    /// One path for each program: launchers tell senders and paths apart.
    private static func path(of program: String) -> String {
        var hash: UInt32 = 2_166_136_261
        for byte in program.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
        return "/com/canonical/unity/launcherentry/\(hash)"
    }
}

extension DesktopSession {
    func setBadge(_ count: Int) {
        badge = count
        if connection == nil || greeting != nil {
            perform(state.connect())
        } else {
            emitBadge()
        }
    }

    /// Shows it; a launcher forgets the number of a connection that is gone.
    func emitBadge() {
        try? connection?.emit(LauncherEntry.update(badge, of: state.program.id))
    }
}
