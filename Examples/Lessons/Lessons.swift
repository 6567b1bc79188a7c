// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings
import TidingsFoundation

/// Lessons: an app with a catalogue, downloads, and screens that come and go without a word.
///
/// Read `Screens` first: each observes when it is made, and none ever stops. Then read `Catalogue`,
/// whose state they show, and `Downloads`, where a repository tells four observers at once. `Session`
/// says what happens, `Farewell` that nothing is left of it.
@main
struct Lessons {
    @MainActor
    static func main() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "tidings-lessons-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let copy = folder.appending(path: "catalogue.json")
        // The program has run before.
        try await JSONFileStore(at: copy).write([LessonGroup].lastTime)

        let center = MessageCenter()
        let today = await Session("The app starts", center: center, copy: copy).play()
        await today.report(center)
        print()
        let tomorrow = await Session("The next day", center: center, copy: copy).playNextDay()
        await tomorrow.report(center)
    }
}
