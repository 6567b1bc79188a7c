// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings
import TidingsFoundation
import TidingsResources

/// Lessons: an app with a catalog, downloads, and screens that never unsubscribe.
///
/// Read `Screens` first: each screen starts to observe at creation and never stops. Then read
/// `Catalog`, whose state the screens show, and `Downloads`, where a repository notifies four
/// observers. `Session` is the script, and `TeardownCheck` checks that all objects are released.
@main
struct Lessons {
    @MainActor
    static func main() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "tidings-lessons-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let copy = folder.appending(path: "catalog.json")
        // This is the copy of an earlier run.
        try await JSONFileStore(at: copy).write(StoredCopy([LessonGroup].lastTime))

        let center = MessageCenter()
        let today = await Session("The app starts", center: center, copy: copy).play()
        await today.report(center)
        print()
        let tomorrow = await Session("The next day", center: center, copy: copy).playNextDay()
        await tomorrow.report(center)
    }
}
