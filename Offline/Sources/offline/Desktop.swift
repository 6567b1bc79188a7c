// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The user's desktop session, if there is one.
enum Desktop {
    /// Opens an address in the browser; does nothing without a desktop session or `xdg-open`.
    ///
    /// - Parameters:
    ///   - address: The address.
    ///   - activationToken: The token that permits the browser's window to come to the front.
    static func open(_ address: String, activationToken: String? = nil) {
        var environment = ProcessInfo.processInfo.environment
        guard environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil else { return }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["xdg-open", address]
        if let activationToken {
            environment["XDG_ACTIVATION_TOKEN"] = activationToken
            environment["DESKTOP_STARTUP_ID"] = activationToken
            process.environment = environment
        }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        // A missing tool is not an error: the command also prints the address.
        try? process.run()
    }
}
