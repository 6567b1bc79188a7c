// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import Tidings
import TidingsTesting

@testable import OfflineLibrary

/// A screen that writes down what it is told.
@MainActor
private final class Screen: DownloadObserver {
    private(set) var completed: [ItemID] = []
    private(set) var refreshes = 0
    private(set) var progress: [DownloadProgress] = []
    let isTold = Gate()

    func downloadProgress(downloadId: ItemID, progress: DownloadProgress, mediaType: String?) {
        self.progress.append(progress)
    }

    func downloadCompleted(downloadId: ItemID, mediaType: String?) {
        completed.append(downloadId)
    }

    func downloadsListDidRefresh() {
        refreshes += 1
        isTold.open()
    }
}

@Suite(.timeLimit(.minutes(5)))
struct DownloadObserverTests {
    @Test @MainActor func everyScreenHearsOfDownloadsAndOfARefresh() async throws {
        let test = try TestLibrary()
        let screens = [Screen(), Screen()]
        for screen in screens { try test.library.journal.delegates.add(screen) }
        let refreshed = MessageRecorder(DownloadsListRefreshed.self, on: test.library.messages)
        try await test.origin.serve(["/a.bin": ["size": 5_000]])
        let item = try await test.get("/a.bin")
        let report = try await test.library.refresh()
        for screen in screens {
            try await screen.isTold.wait()
            #expect(screen.completed == [item.id])
            #expect(screen.refreshes == 1)
        }
        #expect(try await refreshed.next().report == report)
        await test.library.stop()
    }

    @Test @MainActor func aScreenThatWentIsForgottenWithoutAWord() async throws {
        let test = try TestLibrary()
        weak var gone: Screen?
        do {
            let screen = Screen()
            try test.library.journal.delegates.add(screen)
            gone = screen
        }
        #expect(gone == nil)
        _ = try await test.library.refresh()
        #expect(test.library.journal.delegates.notify { $0.downloadsListDidRefresh() } == 0)
        await test.library.stop()
    }
}
