// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsFiles
import TidingsSQLite

extension DownloadQueue {
    /// Continues the downloads that a full disk has paused, now or when it has space.
    func continuePaused() {
        let paused = (try? environment.journal.registry.itemsWaitingForSpace()) ?? []
        if schedule.isDiskFull || !paused.isEmpty { checkSpace() }
    }

    /// Starts no download until the disk has space.
    func waitForSpace() {
        let free = environment.space.free
        spaceChecks.fail(hasSpace: free.map { $0 >= DiskSpace.least } ?? true)
        schedule.isDiskFull = true
        checkSpaceLater()
    }

    /// Continues as many paused downloads as the disk has space for.
    func checkSpace() {
        let space = environment.space
        var free = space.free ?? .max
        guard free >= DiskSpace.least else { return checkSpaceLater() }
        space.createReserve()
        schedule.isDiskFull = false
        spaceChecks.resume()
        recordInterruptions()
        var isAnyPaused = false
        for id in (try? environment.journal.registry.itemsWaitingForSpace()) ?? [] {
            let need = environment.neededSpace(id)
            if need > free {
                isAnyPaused = true
                continue
            }
            free -= need
            _ = try? environment.journal.move(id, .retry, .failure(nil))
        }
        if isAnyPaused { checkSpaceLater() }
        fill()
    }

    /// Queues the items whose interruption the registry could not record.
    private func recordInterruptions() {
        for id in schedule.items(.unrecorded) {
            guard (try? environment.journal.move(id, .interrupt)) != nil else { continue }
            schedule.hinder(id, nil)
        }
    }

    private func checkSpaceLater() {
        guard spaceWait == nil else { return }
        let (clock, interval) = (environment.clock, spaceChecks.interval)
        spaceWait = Task {
            guard (try? await clock.sleep(for: interval)) != nil else { return }
            spaceWait = nil
            checkSpace()
        }
    }
}

extension DownloadEnvironment {
    /// Returns the bytes that a paused item at least needs to be continued.
    fileprivate func neededSpace(_ id: ItemID) -> Int64 {
        let total = try? journal.registry.transfer(of: id).totalBytes
        guard let total, total > 0 else { return DiskSpace.least }
        return total - (SystemFile.size(of: directory.partialFile(of: id)) ?? 0)
    }
}
