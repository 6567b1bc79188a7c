// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings

/// What the app consists of: some parts stay, screens appear and disappear.
///
/// A screen appears when it is made and disappears when it is dropped. None of them has anything to
/// do about its observations then.
@MainActor
final class LessonsApp {
    let connectivity: Connectivity
    let catalogue: Catalogue
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
        // Those who hear the same message hear it in the order in which they are made here.
        downloads = DownloadRepository(center: center)
        catalogue = Catalogue(center: center, copy: copy, server: server)
        badge = Badge(downloads: downloads)
        banner = NetworkBanner(center: center)
        backup = Backup(center: center)
        splash = SplashScreen(center: center)
        catalogue.refreshIfNeeded()
    }

    func openList() {
        list = LessonList(catalogue: catalogue, downloads: downloads)
    }

    func openDownloads() {
        downloadsScreen = DownloadsScreen(downloads: downloads)
    }

    func openPlayer(_ id: Lesson.ID) {
        guard let lesson = catalogue.lessons.lastData?.lesson(id) else { return }
        player = Player(lesson, downloads: downloads)
    }
}
