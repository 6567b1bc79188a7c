// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings

/// The parts of the app, which are permanent parts and screens.
///
/// A screen appears when the screen is created and disappears when the screen is released. A screen
/// does not have to cancel observations.
@MainActor
final class LessonsApp {
    let connectivity: Connectivity
    let catalog: Catalog
    let downloads: DownloadRepository
    let badge: Badge
    let banner: NetworkBanner
    let backup: Backup
    var splash: SplashScreen?
    var list: LessonList?
    var downloadsScreen: DownloadsScreen?
    var player: Player?

    init(center: MessageCenter, copy: URL, server: LessonServer) {
        connectivity = Connectivity(center: center)
        // Observers of the same message are called in the order of their creation here.
        downloads = DownloadRepository(center: center)
        catalog = Catalog(center: center, copy: copy, server: server)
        badge = Badge(downloads: downloads)
        banner = NetworkBanner(center: center)
        backup = Backup(center: center)
        splash = SplashScreen(center: center)
        catalog.refreshIfNeeded()
    }

    func openList() {
        list = LessonList(catalog: catalog, downloads: downloads)
    }

    func openDownloads() {
        downloadsScreen = DownloadsScreen(downloads: downloads)
    }

    func openPlayer(_ id: Lesson.ID) {
        guard let lesson = catalog.lessons.lastData?.lesson(id) else { return }
        player = Player(lesson, downloads: downloads)
    }
}
