// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
internal import TidingsUserNotifications

/// The sounds of notifications, played by an installed player where the daemon plays none.
struct SoundPlayer: Hashable, Sendable {
    /// The player of files from PipeWire or PulseAudio.
    private let filePlayer: String?
    /// The player that also finds sounds by name in the user's theme.
    private let themePlayer: String?
    /// The folders with themes of sounds, in the order of the specification.
    private let folders: [String]

    static let defaultName = "message-new-instant"

    /// Finds the installed players, or returns nil without any.
    init?(environment: (String) -> String?) {
        let programs = environment("PATH")
        filePlayer =
            ["pw-play", "paplay"].lazy
            .compactMap { DesktopProgram.path(of: $0, in: programs) }
            .first
        themePlayer = DesktopProgram.path(of: "canberra-gtk-play", in: programs)
        let home = environment("HOME").map { "\($0)/.local/share" }
        let shared = environment("XDG_DATA_DIRS") ?? ""
        let own = environment("XDG_DATA_HOME").flatMap { $0.isEmpty ? nil : $0 }
        folders =
            [own ?? home].compactMap(\.self)
            + (shared.isEmpty ? "/usr/local/share:/usr/share" : shared).split(separator: ":")
            .map(String.init)
        if filePlayer == nil, themePlayer == nil { return nil }
    }

    /// Returns the command that plays a sound, or nil without such a sound or a player for it.
    func command(for sound: UserNotificationSound) -> [String]? {
        switch sound {
        case .default: command(named: Self.defaultName)
        case .named(let name): command(named: name)
        case .file(let path): command(file: path)
        }
    }

    private func command(file path: String) -> [String]? {
        // The file must be neither an option nor a device or a pipe, which would never end.
        guard path.hasPrefix("/"), !path.utf8.contains(0), DesktopProgram.isFile(path) else {
            return nil
        }
        if let filePlayer { return [filePlayer, path] }
        return themePlayer.map { [$0, "--file", path] }
    }

    private func command(named name: String) -> [String]? {
        let isPlain =
            (1...64).contains(name.utf8.count)
            && name.utf8.allSatisfy {
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || $0 == UInt8(ascii: "-")
            }
        // The name must be neither a path nor an option.
        guard isPlain, !name.hasPrefix("-") else { return nil }
        if let filePlayer, let path = path(of: name) { return [filePlayer, path] }
        return themePlayer.map { [$0, "--id", name] }
    }

    /// Returns the file of a sound in the theme that all other themes inherit.
    ///
    /// A longer name falls back to a shorter name.
    private func path(of name: String) -> String? {
        var parts = name.split(separator: "-", omittingEmptySubsequences: false)
        while !parts.isEmpty {
            let found = folders.lazy.filter { $0.hasPrefix("/") }
                .flatMap { folder in
                    ["oga", "ogg", "wav"].map {
                        "\(folder)/sounds/freedesktop/stereo/\(parts.joined(separator: "-")).\($0)"
                    }
                }
                .first(where: DesktopProgram.isFile)
            if let found { return found }
            parts.removeLast()
        }
        return nil
    }
}
#endif
