// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The person's desktop, where there is one.
enum Desktop {
    /// Opens an address in the browser; does nothing without a desktop or its tool.
    static func open(_ address: String) {
        let environment = ProcessInfo.processInfo.environment
        guard environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil else { return }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["xdg-open", address]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        // A missing tool is no failure: the address is printed as well.
        try? process.run()
    }
}
