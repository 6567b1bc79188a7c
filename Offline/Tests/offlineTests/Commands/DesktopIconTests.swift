// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import offline

@Suite(.timeLimit(.minutes(15)))
struct DesktopIconTests {
    @Test func theProgramsOwnFileIsTheIconUntilOneIsInstalled() throws {
        let root = FileManager.default.temporaryDirectory
            .appending(path: "offline-icon-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        let environment = [
            "HOME": root.appending(path: "home").path,
            "XDG_DATA_DIRS": "/none:\(root.appending(path: "share").path)",
        ]
        func icon() -> String? { Desktop.icon("/own.png", unlessInstalledAs: "a.b", environment) }
        #expect(icon() == "/own.png")
        for folder in ["home/.local/share", "share"] {
            let apps = root.appending(path: "\(folder)/icons/hicolor/scalable/apps")
            try FileManager.default.createDirectory(at: apps, withIntermediateDirectories: true)
            let file = apps.appending(path: "a.b.svg")
            try Data().write(to: file)
            #expect(icon() == nil)
            try FileManager.default.removeItem(at: file)
            #expect(icon() == "/own.png")
        }
    }
}
