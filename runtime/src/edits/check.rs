//! Checks that a text is the tree that is meant.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use crate::dom::{Dom, Node, NodeKind};

use super::compare::{Check, Show, Take, Taken, events};
use super::error::{EditErrorKind, Refused};
use super::extents::Extents;
use super::meant::Meant;
use super::plan::{Edit, Plan, Task, plan};
use super::splice::{Part, Splits, spliced, splices};
use super::view::View;
use super::write::write;

impl View<'_> {
    /// The tree of a text, if it is the one that is meant.
    pub(super) fn check<'t>(
        &self,
        plan: &Plan<'_>,
        splits: &Splits,
        text: &'t str,
    ) -> Result<Dom<'t>, Refused> {
        let dom = self.parse(text);
        let first = plan.iter().flat_map(|(_, asked)| &asked.numbers).min();
        let first = first.copied().unwrap_or_default();
        if let Some(limit) = dom.limit() {
            let kind = EditErrorKind::Limit(limit);
            return Err(Refused {
                number: first,
                kind,
            });
        }
        let mut check = Check::new(&dom);
        let walked = self.walk(plan, splits, first, &mut check);
        let (number, is_whole) = (walked.0, walked.1.and_then(|()| check.ends()).is_some());
        let reader = self.reader;
        let differs = |meant: String, found: String| {
            let kind = EditErrorKind::Differs {
                reader,
                meant,
                found,
            };
            Err(Refused { number, kind })
        };
        if !is_whole {
            let (mut meant, mut found) = (Show::new(check.taken), Show::new(check.taken));
            self.walk(plan, splits, first, &mut meant);
            events(dom.root(), &mut found);
            return differs(meant.shown(), found.shown());
        }
        let (meant, found) = (self.dom.document_mode(), dom.document_mode());
        let is_doctype = |(at, _)| matches!(self.tree.node(at).kind(), NodeKind::Doctype(_));
        if meant != found && !plan.iter().any(is_doctype) {
            return differs(meant.as_str().into(), found.as_str().into());
        }
        Ok(dom)
    }

    /// Walks over the tree that is meant: the edit that was applied last.
    fn walk(
        &self,
        plan: &Plan<'_>,
        splits: &Splits,
        first: usize,
        to: &mut impl Take,
    ) -> (usize, Taken) {
        let mut meant = Meant {
            view: self,
            plan,
            splits,
            last: first,
        };
        let taken = meant.walk(to);
        (meant.last, taken)
    }

    /// Whether edits of another view of the same text mean the same here, where the text has become another one. `parts` are sorted.
    pub(super) fn check_too(
        &self,
        from: &Extents<'_>,
        tasks: &[Task<'_>],
        parts: &[Part],
        is_explicit: &dyn Fn(usize) -> bool,
        text: &str,
    ) -> Result<(), Refused> {
        let mut here: Vec<Task<'_>> = Vec::new();
        // The text of elements that have elements inside there, and of which edit.
        let mut changed: BTreeMap<usize, usize> = BTreeMap::new();
        let mut places: BTreeMap<usize, (u32, u32)> = BTreeMap::new();
        for part in parts {
            let place = places.entry(part.node).or_insert(part.at);
            *place = (place.0.min(part.at.0), place.1.max(part.at.1));
        }
        let noscripts = self.tree.tokens_of("noscript");
        for task in tasks {
            if let Some(at) = from.counterpart(task.at, &self.tree) {
                let is_raw = |node: Node<'_>| node.is("noscript") && node.is_raw();
                if matches!(task.edit, Edit::SetText(_)) && is_raw(from.node(task.at)) {
                    // It is text there, and elements here.
                    changed.entry(at).or_insert(task.number);
                    continue;
                }
                here.push(Task { at, ..*task });
                continue;
            }
            let place = places.get(&task.at);
            match place.map(|&place| self.tree.around(&noscripts, place)) {
                // Something around it is removed.
                None => {}
                Some(Some(at)) => {
                    changed.entry(at).or_insert(task.number);
                }
                Some(None) => {
                    return Err(Refused {
                        number: task.number,
                        kind: EditErrorKind::Absent(self.reader),
                    });
                }
            }
        }
        let inner = changed.iter().map(|(&at, &number)| {
            let (start, end) = self.tree.inside(at).unwrap_or_default();
            // They are sorted by where they start: each is looked at for one element only.
            let first = parts.partition_point(|part| part.at.0 < start);
            let after = parts[first..].iter().take_while(|part| part.at.0 <= end);
            let mut parts: Vec<_> = after.filter(|part| part.at.1 <= end).cloned().collect();
            for part in &mut parts {
                part.at = (part.at.0 - start, part.at.1 - start);
            }
            let html = spliced(self.tree.text((start, end)), &splices(&parts));
            (number, at, Edit::SetHtml(html))
        });
        let inner: Vec<_> = inner.collect();
        here.extend(
            inner
                .iter()
                .map(|&(number, at, ref edit)| Task { number, at, edit }),
        );
        let plan = plan(&self.tree, &here)?;
        let splits = write(self, &plan, is_explicit)?.splits;
        self.check(&plan, &splits, text).map(|_| ())
    }
}
