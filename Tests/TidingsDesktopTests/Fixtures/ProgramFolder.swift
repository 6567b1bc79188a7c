// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A folder with programs that note their arguments, and with a theme of sounds.
///
/// The folder is the only folder in `PATH` and is removed with the object.
final class ProgramFolder: Sendable {
    let url: URL

    init(programs: [String], sounds: [String] = []) throws {
        url = URL(filePath: NSTemporaryDirectory()).appending(path: "programs-\(UUID().uuidString)")
        let theme = url.appending(path: "share/sounds/freedesktop/stereo")
        try FileManager.default.createDirectory(at: theme, withIntermediateDirectories: true)
        for sound in sounds { try Data("x".utf8).write(to: theme.appending(path: sound)) }
        for program in programs {
            // The script uses no other programs, because `PATH` names this folder.
            let script = "#!/bin/sh\necho \"$@\" >> \"${0%/*}/calls\"\n"
            try write(script, as: program)
        }
        try write("", as: "calls")
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func write(_ script: String, as program: String) throws {
        let path = url.appending(path: program).path
        try Data(script.utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    }

    func sound(_ name: String) -> String {
        url.appending(path: "share/sounds/freedesktop/stereo/\(name)").path
    }

    var environment: @Sendable (String) -> String? {
        { [path = url.path] name in
            ["PATH": path, "XDG_DATA_HOME": "\(path)/share", "XDG_DATA_DIRS": "/nowhere"][name]
        }
    }

    /// The arguments of the calls so far, one line for each call.
    var calls: [String] {
        let text = try? String(contentsOf: url.appending(path: "calls"), encoding: .utf8)
        return (text ?? "").split(separator: "\n").map(String.init)
    }

    /// Waits until a program was called with these arguments.
    func wait(for arguments: String, _ desktop: Desktop) async throws {
        try await desktop.call(
            "output_is",
            [
                "argv": ["cat", .string(url.appending(path: "calls").path)],
                "pattern": .string("(?m)^\(NSRegularExpression.escapedPattern(for: arguments))$"),
            ]
        )
    }
}
