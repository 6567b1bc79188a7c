// SPDX-License-Identifier: Apache-2.0

extension ReporterState {
    /// The maximum number of unsent session updates.
    static let sessionLimit = 100

    mutating func count(_ loss: ReportLoss) {
        guard loss.quantity > 0 else { return }
        if let index = losses.firstIndex(where: { $0.isSameKind(as: loss) }) {
            let (sum, isTooMuch) = losses[index].quantity.addingReportingOverflow(loss.quantity)
            losses[index].quantity = isTooMuch ? .max : sum
        } else {
            losses.append(loss)
        }
    }

    /// Adds a session update, which replaces an unsent earlier update of the same session.
    mutating func add(_ session: ReportedSession) {
        if let index = sessions.firstIndex(where: { $0.id == session.id }) {
            guard sessions[index].sequence < session.sequence else { return }
            let isFirst = sessions[index].isFirst
            sessions[index] = session
            sessions[index].isFirst = isFirst || session.isFirst
            return
        }
        sessions.append(session)
        while sessions.count > Self.sessionLimit {
            forgetAnnouncement(of: sessions.removeFirst())
            count(ReportLoss(reason: .spoolFull, category: .session, quantity: 1))
        }
    }

    /// Removes everything that a delivery contained, but nothing that was added since then.
    mutating func remove(_ delivered: ReportDelivery) {
        for loss in delivered.losses {
            guard let index = losses.firstIndex(where: { $0.isSameKind(as: loss) }) else {
                continue
            }
            losses[index].quantity -= loss.quantity
            if losses[index].quantity <= 0 { losses.remove(at: index) }
        }
        comments.removeAll { delivered.comments[$0.report] == $0.text }
        for session in delivered.sessions {
            guard let index = sessions.firstIndex(where: { $0.id == session.id }) else { continue }
            if sessions[index].sequence <= session.sequence {
                sessions.remove(at: index)
            } else {
                sessions[index].isFirst = false
            }
        }
    }

    /// Removes all unsent losses, sessions and comments, and the last failure.
    mutating func removeUnsent() {
        losses = []
        for session in sessions { forgetAnnouncement(of: session) }
        sessions = []
        comments = []
        lastFailure = nil
    }
}

extension ReportLoss {
    fileprivate func isSameKind(as other: ReportLoss) -> Bool {
        reason == other.reason && category == other.category
    }
}
