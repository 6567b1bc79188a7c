// SPDX-License-Identifier: Apache-2.0
import OfflineModel
import OfflineStore
import Tidings
import TidingsSQLite

extension DownloadQueue {
    /// Continues the downloads that a full disk has paused, either now or when the disk has space.
    package func continuePaused() {
        guard isStarted else { return }
        environment.space.createReserve()
        let paused = (try? environment.journal.items.itemsWaitingForSpace()) ?? []
        if schedule.isDiskFull || !paused.isEmpty || !environment.space.isReserved { checkSpace() }
    }

    /// Schedules a check that continues the paused downloads, and starts no other download until
    /// the disk has some space.
    func waitForSpace() {
        let free = environment.space.free
        let hasSpace = free.map { $0 >= DiskSpace.least } ?? true
        spaceChecks.fail(hasSpace: hasSpace)
        schedule.isDiskFull = !hasSpace
        checkSpaceLater()
    }

    /// Continues as many paused downloads as the disk has space for.
    func checkSpace() {
        guard isStarted else { return }
        let space = environment.space
        var free = space.free ?? .max
        guard free >= DiskSpace.least else { return checkSpaceLater() }
        space.createReserve()
        schedule.isDiskFull = false
        spaceChecks.resume()
        for id in schedule.unrecorded { recordInterruption(of: id) }
        importRequests()
        var isAnyPaused = !space.isReserved || !schedule.unrecorded.isEmpty
        for id in (try? environment.journal.items.itemsWaitingForSpace()) ?? [] {
            let need = environment.neededSpace(id)
            guard need <= free,
                (try? environment.journal.move(id, .retry, with: .set(\.error, nil))) != nil
            else {
                isAnyPaused = true
                continue
            }
            free -= need
        }
        if isAnyPaused { checkSpaceLater() }
        fill()
    }

    /// Queues an item whose interruption the registry could not record.
    ///
    /// If the registry fails again, the next check repeats the attempt.
    func recordInterruption(of id: ItemID) {
        guard isUnrecorded(id) else { return }
        do {
            _ = try environment.space.commit { () throws(SQLiteError) in
                try environment.journal.move(id, .interrupt)
            }
            schedule.markRecorded(id)
        } catch {
            checkSpaceLater()
        }
    }

    private func checkSpaceLater() {
        guard spaceWait == nil, isStarted else { return }
        let (clock, interval) = (environment.clock, spaceChecks.interval)
        spaceWait = Task {
            guard (try? await clock.sleep(for: interval)) != nil else { return }
            spaceWait = nil
            checkSpace()
        }
    }
}

extension DownloadEnvironment {
    /// Returns the smallest number of bytes with which a paused item can continue.
    fileprivate func neededSpace(_ id: ItemID) -> Int64 {
        if let parts = try? journal.downloads.sizeOfCompleteParts(of: id) { return parts }
        let total = try? journal.downloads.transfer(of: id).totalBytes
        guard let total, total > 0 else { return DiskSpace.least }
        return total - StoredBytes(directory: directory, id: id).count
    }
}
